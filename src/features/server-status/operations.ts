import { defineOperation } from '../../automation/operation.ts'
import { defaulted, required } from '../../automation/parameter.ts'
import { jsonBlob } from '../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Repository } from '../../core/session.ts'

export const nothingToReload = defineProblem(
  'nothingToReload',
  'notImplemented',
  (_: object) => 'The configuration is read at start. Restart the server to have another one.',
)

type Counter = (repositories: readonly Repository[]) => Promise<number>

const counters: { readonly [name: string]: Counter } = {
  'jobs.pending': async (repositories) =>
    sumOf(await Promise.all(repositories.map(({ store, now }) => store.reader.jobs.countPending(now())))),
  'jobs.parked': async (repositories) =>
    sumOf(await Promise.all(repositories.map(({ store }) => store.reader.jobs.countParked()))),
}

export const readCounters = defineOperation({
  id: 'Counters.GET',
  category: 'Services',
  description: `Gives what the server counts, each as it is now: ${Object.keys(counters).join(', ')}. Other names have no values.`,
  effect: 'reads',
  access: { administrators: true },
  params: { counterNames: required('stringlist') },
  run: ({ on }) => [
    on('void', 'blob', async (_, { session, params, context: { services } }) => {
      const repositories = [...services.repositories.values()]
      const moment = Date.parse(session.now)
      const shown = params.counterNames.map(async (name) => [name, await writeSeries(name, repositories, moment)] as const)
      return jsonBlob(Object.fromEntries(await Promise.all(shown)))
    }),
  ],
})

export const hotReload = defineOperation({
  id: 'Service.HotReloadStudioSnapshot',
  category: 'Services',
  description: 'Is refused: the configuration is read at start.',
  effect: 'reads',
  access: { administrators: true },
  params: { validate: defaulted('boolean', true) },
  run: ({ on }) => [
    on('void', 'blob', () => {
      throw nothingToReload({})
    }),
  ],
})

/** Earlier counts are not stored, so there is one value, and no change from one to the next. */
async function writeSeries(name: string, repositories: readonly Repository[], moment: number): Promise<object> {
  const counter = Object.hasOwn(counters, name) ? counters[name] : undefined
  return { values: counter === undefined ? [] : [[moment, await counter(repositories)]], deltas: [], speed: [] }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
