import { type Html, html } from '../../html.ts';

/** A QR code as SVG, dark on white in every colour scheme: cameras do not read it otherwise. */
export async function renderQrCode(text: string, label: string): Promise<Html> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const modules = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return html`<div class="qr-code"><svg viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path d="${modules.join('')}" fill="#000"/></svg></div>`;
}
