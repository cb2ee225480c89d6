import { type ProblemCode, problems } from '../../contract/errors.ts';

/** What a code means, for programs. */
export interface ProblemExplanation {
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly hint: string;
}

export function toProblemExplanation(code: ProblemCode): ProblemExplanation {
  return { code, ...problems[code] };
}

/** The same for a person, as a page of its own. */
export function renderProblemPage(code: ProblemCode): string {
  const { status, title, hint } = problems[code];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem }</style>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(hint)}</p>
<p><code>${code}</code>, answered with HTTP status ${status}.</p>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
