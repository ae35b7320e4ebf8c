/** The session as one static page: no script, nothing loaded, readable offline and on paper. */

import { seatNotes } from '../../core/wording/session-title.ts'
import { linkNotes } from '../../core/wording/thread-words.ts'
import { documentOf, type SessionDocument } from '../document.ts'
import type { Exporter } from '../exporter.ts'
import { provenance, titleOf } from '../wording.ts'
import { othersSection, pullSection, threadSection, transcriptClaimsSection } from './ledger.ts'
import {
  answerSection,
  betweenRoundsSection,
  changesSection,
  flagsSection,
  questionSection,
  responsesSection,
  roundsSection,
  summarySection,
  tallySection,
  usageSection,
} from './sections.ts'
import { style } from './style.ts'
import { escaped, plainText } from './text.ts'

/** Even if a text slipped through as markup, nothing may run and nothing may be loaded. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const leftOut = 'What each seat wrote is left out here.'

/** The compact page says what came of it, and leaves out what each seat wrote. */
const page = (document: SessionDocument, compact: boolean): string => {
  const title = document.question.replace(/\s+/g, ' ').trim()
  const parts = [
    questionSection(document),
    answerSection(document),
    compact ? plainText('p', leftOut, 'note') : responsesSection(document),
    summarySection(document),
    tallySection(document),
    transcriptClaimsSection(document),
    othersSection(document),
    changesSection(document),
    ...(compact ? [] : [pullSection, betweenRoundsSection, roundsSection].map(part => part(document))),
    threadSection(document),
    flagsSection(document),
    usageSection(document),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title.length > 80 ? `${title.slice(0, 79)}…` : title)} · Roundtable</title>
<style>
${style}
</style>
</head>
<body>
<header>
<h1>${escaped(titleOf(document))}</h1>
${[...seatNotes(document.seats), ...linkNotes(document)].map(note => plainText('p', note, 'note')).join('\n')}
</header>
<main>
${parts.filter(part => part !== '').join('\n')}
</main>
<footer>
${plainText('p', provenance(document))}
</footer>
</body>
</html>
`
}

export const html = (): Exporter => ({
  id: 'html',
  label: 'Web page',
  extension: 'html',
  contentType: 'text/html; charset=utf-8',
  write: (events, options) => page(documentOf(events, options?.thread), options?.compact ?? false),
})
