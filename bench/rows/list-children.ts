import { startBareProgram } from '../bare/bare-program.ts'
import type { PageSetup } from '../bare/page-program.ts'
import { answerTo, type Call } from '../http/call.ts'
import { reader } from '../load/people.ts'
import { folderPath } from '../load/tree.ts'
import type { ServedSite } from '../site.ts'
import { answering, bareAnswering, bareWorking, takingTurns } from './contenders.ts'
import type { RateRow } from './rate-row.ts'

const pageSize = 50
// One more than the server counts, which tells it that there are more.
const countLimit = 10_001
const byTitle = { by: { kind: 'property', name: 'dc:title', isNumeric: false }, descending: false } as const

const title = `@children, page of ${pageSize} of 1,000`

export const listChildren: RateRow = {
  name: 'list-children',
  title,
  leastShare: 0.5,
  async prepare(site) {
    const { quire, next, program } = await listing(site, {})
    return { quire, bare: bareAnswering(program, next) }
  },
}

export const listChildrenWithProperties: RateRow = {
  name: 'list-children-properties',
  title: `${title}, all properties`,
  async prepare(site) {
    const { quire, next, program } = await listing(site, { properties: '*' })
    return { quire, bare: bareAnswering(program, next) }
  },
}

export const listChildrenAgainstLoop: RateRow = {
  name: 'list-children-loop',
  title: `${title}; bare: no HTTP`,
  async prepare(site) {
    const { quire, program } = await listing(site, {})
    return { quire, bare: bareWorking(program) }
  },
}

async function listing({ folders, place: { database }, server }: ServedSite, headers: { [name: string]: string }) {
  const calls = folders.map(({ number }): Call => {
    const path = `/api/v1/path${folderPath(number)}/@children?pageSize=${pageSize}`
    return { method: 'GET', path, user: reader.name, headers }
  })
  const [first] = calls
  if (first === undefined) throw new Error('The repository has no folder to list.')
  const next = takingTurns(calls)
  const filters = folders.map((folder) => folder.filter)
  const setup: PageSetup = {
    database,
    filters,
    sort: [byTitle],
    size: pageSize,
    countLimit,
    answer: (await answerTo(first, server.target)).body,
  }
  const program = await startBareProgram(new URL('../bare/page-program.ts', import.meta.url), setup)
  return { quire: answering(server, next), next, program }
}
