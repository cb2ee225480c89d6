/** What an appointment may be referred to by, for help. */
export const appointmentReference = 'appointment ID, or its client: name, email, phone';

/** The code that finds and names appointments, which help does not need. */
export async function loadPeople() {
  const [filters, finding, describing, care] = await Promise.all([
    import('../../people/resolve-filters.ts'),
    import('../../people/resolve-appointment.ts'),
    import('../../people/describe.ts'),
    import('../../people/confirm-status.ts'),
  ]);
  return { ...filters, ...finding, ...describing, ...care };
}
