import { entity } from '../../rest/answer.ts'
import { requireManager } from '../../rest/management.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { defineRoute } from '../../rest/route.ts'
import type { Services } from '../../rest/services.ts'
import { askFor, findRun, type TaskRun, taskUnderWay } from './task-runs.ts'
import { byAmount, type MeasuredStorage, measureStorage } from './tasks/measure-storage.ts'

const amountFields = {
  documents: Type.Integer({ description: 'With versions and proxies' }),
  files: Type.Integer({ description: 'Each counted once, for the first document that has it' }),
  bytes: Type.Integer({ description: 'Of these files' }),
}
const namedSchema = Type.Object({ name: Type.String(), ...amountFields })

const storageSchema = Type.Object(
  {
    'entity-type': Type.Literal('storage'),
    measured: Type.Nullable(Type.Moment({ description: 'When the figures were counted; null where they never were' })),
    isMeasuring: Type.Boolean({ description: 'New figures are being counted' }),
    ...amountFields,
    types: Type.Array(namedSchema, { description: 'The most bytes first, at most 100' }),
    people: Type.Array(namedSchema, { description: 'By who created the documents; the most bytes first, at most 100' }),
    months: Type.Array(Type.Object({ month: Type.String(), ...amountFields }), {
      description: 'By when the documents were created, the first month first, at most the last 120',
    }),
  },
  { $id: 'Storage' },
)

type Figures = Pick<MeasuredStorage, 'all' | 'types' | 'people' | 'months'>
const nothingMeasured: Figures = { all: { documents: 0, files: 0, bytes: 0 }, types: {}, people: {}, months: {} }
type Storage = Static<typeof storageSchema>

const mostNamed = 100
const mostMonths = 120
/** All documents are walked through for it: not more often than this. */
const figuresMillis = 3_600_000

/** Counted in the background when somebody asks and the last figures are old; those are shown meanwhile. */
export const storageRoute = defineRoute({
  method: 'GET',
  path: '/management/storage',
  operationId: 'getStorage',
  under: 'api',
  summary: 'What documents and their files take, by type, by person and by month; counted once an hour at most',
  answers: { 200: storageSchema, 403: 'the caller does not look after the server' },
  async handle(exchange) {
    requireManager(exchange)
    const { services, principal } = exchange
    const run = await findRun(services, measureStorage.name)
    const isMeasuring = isUnderWay(run) || (isOld(run) && (await beginAnew(services, principal.name)))
    return entity('storage', { 'entity-type': 'storage', ...writeFigures(run?.last ?? null), isMeasuring })
  },
})

function isUnderWay(run: TaskRun | undefined): boolean {
  return run?.state === 'waiting' || run?.state === 'running'
}

function isOld(run: TaskRun | undefined): boolean {
  return run?.last == null || Date.now() - Date.parse(run.last.ended) > figuresMillis
}

async function beginAnew(services: Services, by: string): Promise<boolean> {
  try {
    await askFor(services, measureStorage.name, by)
  } catch (error) {
    // Somebody else asked at the same moment.
    if (!taskUnderWay.is(error)) throw error
  }
  return true
}

function writeFigures(last: TaskRun['last']): Omit<Storage, 'entity-type' | 'isMeasuring'> {
  const { all, types, people, months } = (last?.outcome ?? nothingMeasured) as Figures
  const named = (amounts: Figures['types']) =>
    Object.entries(amounts)
      .toSorted(byAmount)
      .slice(0, mostNamed)
      .map(([name, amount]) => ({ name, ...amount }))
  return {
    measured: last?.ended ?? null,
    ...all,
    types: named(types),
    people: named(people),
    months: Object.entries(months)
      .filter(([month]) => month !== '')
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .slice(-mostMonths)
      .map(([month, amount]) => ({ month, ...amount })),
  }
}
