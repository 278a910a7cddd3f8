// `npm run stress -- kill --rounds 50`: what `npm test` tries a few times, as often as wanted and seeded.
// A failed run prints its seed; `--seed` repeats its choices, `--engine` keeps to one engine.
import { parseArgs } from 'node:util'
import { engines } from '../support/database-place.ts'
import { stressByKilling } from './kill.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', multiple: true, default: [...engines] },
  },
})

const stresses = new Map([['kill', stressByKilling]])
const stress = stresses.get(positionals[0] ?? '')
if (stress === undefined) {
  console.error(`Which one? npm run stress -- ${[...stresses.keys()].join('|')} [--rounds 20] [--seed 1] [--engine sqlite]`)
  process.exit(2)
}

const chosen = engines.filter((engine) => values.engine.includes(engine))
let isSound = true
for (const engine of chosen) isSound = (await stress(engine, Number(values.rounds), Number(values.seed))) && isSound
process.exitCode = isSound ? 0 : 1
