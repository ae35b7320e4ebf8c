/** An adversary at a table of credulous conformists, in the real runtime. */
import { expect, test } from 'vitest'
import { lossOf } from '../perf/adversary.ts'

const temper = { accuracy: 0.62, insight: 0.1, conformity: 0.5, credulity: 0.5 }

test.each(['roundtable', 'hybrid'])(
  '[B59] %s: orders of an adversary are data, and what it invents never passes for a quote',
  async protocol => {
    const { commanded, cited, believed, misled, withAdversary, without } = await lossOf(protocol, temper, 12)
    expect({ commanded, believed }).toEqual({ commanded: 0, believed: 0 })
    expect(cited).toBeGreaterThan(0)
    expect(misled).toBeGreaterThan(0)
    expect(withAdversary).toBeLessThan(without)
  },
)
