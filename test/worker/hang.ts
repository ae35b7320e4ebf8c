/** A process that hangs as soon as it runs a session, as it would in an endless loop. It has to be killed. */

import { writeSync } from 'node:fs'
import { createRoundtable } from '../../src/library/index.ts'
import { openEngine } from '../../src/run/worker.ts'

const hang = (): never => {
  writeSync(1, 'hangs')
  for (;;);
}

await openEngine({
  where: JSON.parse(process.argv[2]!),
  runtime: (store, slots) => ({ ...createRoundtable({ store, slots }), carryOn: hang }),
})
