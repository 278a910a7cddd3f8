// `npm run stress -- kill --rounds 50`: what `npm test` tries a few times, as often as wanted and seeded.
// `npm run stress -- subtree --documents 100000`: what it tries with a small tree, with a large one, and what a row costs.
// A failed run prints its seed; `--seed` repeats its choices, `--engine` keeps to one engine.
import { parseArgs } from 'node:util'
import { type EngineName, engines } from '../support/database-place.ts'
import { stressHistories } from './histories.ts'
import { stressByKilling } from './kill.ts'
import { stressRights } from './rights.ts'
import { stressBySubtree } from './subtree.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '20' },
    documents: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', multiple: true, default: [...engines] },
  },
})

const seed = Number(values.seed)
const stresses: ReadonlyMap<string, (engine: EngineName) => Promise<boolean>> = new Map([
  ['kill', (engine) => stressByKilling(engine, Number(values.rounds), seed)],
  ['rights', (engine) => stressRights(engine, Number(values.rounds), seed)],
  ['subtree', (engine) => stressBySubtree(engine, Number(values.documents), seed)],
])
/** These compare the engines, so each of them takes part. */
const comparisons: ReadonlyMap<string, () => Promise<boolean>> = new Map([
  ['histories', () => stressHistories(Number(values.rounds), seed)],
])
const stress = stresses.get(positionals[0] ?? '')
const comparison = comparisons.get(positionals[0] ?? '')
if (stress === undefined && comparison === undefined) {
  console.error(
    `Which one? npm run stress -- ${[...stresses.keys(), ...comparisons.keys()].join('|')} [--rounds 20] [--documents 100000] [--seed 1] [--engine sqlite]`,
  )
  process.exit(2)
}

const chosen = engines.filter((engine) => values.engine.includes(engine))
let isSound = (await comparison?.()) ?? true
if (stress !== undefined) for (const engine of chosen) isSound = (await stress(engine)) && isSound
process.exitCode = isSound ? 0 : 1
