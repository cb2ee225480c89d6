export const teamPath = '/settings/team';
export const invitePath = `${teamPath}/invite`;

export function toMemberPath(userId: string): string {
  return `${teamPath}/${userId}`;
}

export function toDeactivationPath(userId: string): string {
  return `${teamPath}/${userId}/deactivate`;
}
