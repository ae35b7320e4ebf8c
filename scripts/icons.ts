/** Draws the icons of the installed app from the logo: `npm run icons`, after a change of the logo. */

import { writeFileSync } from 'node:fs'
import { renderPng } from '../src/http/shared-page.ts'
import { palette } from '../src/words/pictures.ts'

const [accent] = palette.accent
const seats = [
  [16, 4.2],
  [26.2, 10.1],
  [26.2, 21.9],
  [16, 27.8],
  [5.8, 21.9],
]

/** The logo of `src/web/mark.svg` on paper, with a margin: systems cut corners off. */
const icon = (margin: number, corner: number): string => {
  const size = 32 + 2 * margin
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-margin} ${-margin} ${size} ${size}">
<rect x="${-margin}" y="${-margin}" width="${size}" height="${size}" rx="${corner}" fill="${palette.paper[0]}"/>
<circle cx="16" cy="16" r="7" fill="none" stroke="${accent}" stroke-width="2.5"/>
${seats.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="2.7" fill="${accent}"/>`).join('')}
<circle cx="5.8" cy="10.1" r="2" fill="none" stroke="${accent}" stroke-width="1.6"/></svg>`
}

const icons = [
  { name: 'icon-180', width: 180, margin: 5, corner: 0 },
  { name: 'icon-192', width: 192, margin: 4, corner: 9 },
  { name: 'icon-512', width: 512, margin: 4, corner: 9 },
  { name: 'icon-maskable-512', width: 512, margin: 10, corner: 0 },
]
for (const { name, width, margin, corner } of icons)
  writeFileSync(`src/web/public/assets/${name}.png`, await renderPng(icon(margin, corner), width))
