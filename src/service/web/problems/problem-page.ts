import { type ProblemCode, problems } from '../../../contract/errors.ts';
import { escapeHtml, type Page, renderPage } from '../page-frame.ts';
import { problemTexts } from './problem-texts.ts';

/** The page that explains one problem. `origin` stands in front of the example's type and may be empty. */
export function renderProblemPage(code: ProblemCode, origin: string): Page {
  const { status, title } = problems[code];
  const { meaning, remedy } = problemTexts[code];
  return renderPage({
    title,
    body: `<h1>${escapeHtml(title)}</h1>
<p class="quiet"><code>${code}</code>, HTTP status ${status}</p>
<h2>What it means</h2>
<p>${escapeHtml(meaning)}</p>
<h2>What to do</h2>
<p>${escapeHtml(remedy)}</p>
<h2>What it looks like</h2>
<pre><code>${escapeHtml(JSON.stringify(toExample(code, origin), undefined, 2))}</code></pre>`,
  });
}

/** The page that lists every problem. */
export function renderProblemList(): Page {
  return renderPage({
    title: 'Problems',
    body: `<h1>Problems</h1>
<p class="quiet">What the service answers when it cannot do what was asked: problem documents by RFC 9457.</p>
${renderList()}`,
  });
}

/** The page for a code there is not. */
export function renderNoProblem(name: string): Page {
  return renderPage({
    title: 'No such problem',
    body: `<h1>No such problem</h1>
<p>There is no problem called <code>${escapeHtml(name)}</code>. These there are:</p>
${renderList()}`,
  });
}

/** What the page of a code is called in its address. */
export function toProblemName(code: ProblemCode): string {
  return code.replaceAll('_', '-');
}

function renderList(): string {
  const codes = Object.keys(problems) as ProblemCode[];
  const entries = codes.map((code) => {
    const { status, title } = problems[code];
    return `<li><a href="/problems/${toProblemName(code)}">${escapeHtml(title)}</a>
<span class="quiet"><code>${code}</code>, HTTP status ${status}</span></li>`;
  });
  return `<ul>\n${entries.join('\n')}\n</ul>`;
}

function toExample(code: ProblemCode, origin: string): object {
  const { status, title } = problems[code];
  const { detail, ...members } = problemTexts[code].example;
  return {
    type: `${origin}/problems/${toProblemName(code)}`,
    title,
    status,
    detail,
    code,
    request_id: '5f0c3a9e41d24b7c8e6a1f2b3c4d5e6f',
    ...members,
  };
}
