import { Readable } from 'node:stream'
import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import type { FlowingBlob } from '../../../automation/values/flowing-blob.ts'
import { formatCsvLine, harmlessCell } from '../../../base/csv/csv-records.ts'
import { yieldToEventLoop } from '../../../base/event-loop.ts'
import { defineProblem } from '../../../base/problem.ts'
import { directoriesSeenBy } from '../../../core/directories/directories-seen-by.ts'
import { groupDirectory, groupMembers, subGroups } from '../../../core/directories/people.ts'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import type { DirectoryEntry, DirectoryReader } from '../../../store/directories.ts'

export const tooManyMemberships = defineProblem(
  'tooManyMemberships',
  'invalid',
  (of: { max: number }) =>
    `The groups have more than the ${of.max} members that one file lists. Read them group by group, at /group/{name}/@users.`,
)

const exportRefusal = 'User is not allowed to export groups'

/** Rows that a spreadsheet opens, and then some. */
const mostRows = 2_000_000
const groupsAtOnce = 500
const membersAtOnce = 5_000
const looks = 3

const columns = ['groupname', 'grouplabel', 'description', 'memberType', 'member'] as const

export const exportGroups = defineOperation({
  id: 'UserManager.ExportGroups',
  label: 'ExportGroups',
  category: 'Users & Groups',
  description: 'Gives a CSV file of all groups, with a line for each user and each group in them, to whoever looks after users.',
  effect: 'waits',
  params: {},
  run: ({ on }) => [
    on('void', 'blob', (_, { session, context }) => {
      requirePeopleEditor(session.principal, [], context.services.principalRules, exportRefusal)
      return storeGroups(context)
    }),
  ],
})

/** Written to the store as it is read: there may be many members. It is collected like any file that no document refers to. */
async function storeGroups(context: OperationContext): Promise<FlowingBlob> {
  const { blobs } = context.repository
  const content = Readable.from(everyRow(context), { objectMode: false })
  const stored = await blobs.write(content, { signal: context.host.signal })
  return { blob: { ...stored, name: 'groups.csv', 'mime-type': 'text/csv', encoding: 'UTF-8' } }
}

async function* everyRow(context: OperationContext): AsyncGenerator<string> {
  yield formatCsvLine(columns)
  let rows = 0
  for (const group of await listGroups(context)) {
    const lines = [...(await linesOf(context, group, 'user')), ...(await linesOf(context, group, 'group'))]
    if (lines.length === 0) lines.push(lineOf(group, '', ''))
    rows += lines.length
    if (rows > mostRows) throw tooManyMemberships({ max: mostRows })
    await context.budget.work(lines.length)
    yield lines.join('')
  }
}

type MemberType = 'user' | 'group'

async function linesOf(context: OperationContext, group: DirectoryEntry, type: MemberType): Promise<string[]> {
  const members = await listMembers(context, type === 'user' ? groupMembers : subGroups, group.id)
  return members.map((member) => lineOf(group, type, member))
}

function lineOf({ id, values }: DirectoryEntry, type: MemberType | '', member: string): string {
  return formatCsvLine(
    [id, values['grouplabel'], values['description'], type, member].map((cell) => harmlessCell(String(cell ?? ''))),
  )
}

/** All groups of the directory, by name. */
function listGroups(context: OperationContext): Promise<readonly DirectoryEntry[]> {
  const order = [{ field: 'groupname', isAscending: true }]
  return listUnchanged(context, {
    state: (directories) => directories.generation(),
    page: async (directories, offset) =>
      (await directories.search({ directory: groupDirectory, order, offset, limit: groupsAtOnce })).entries,
    pageSize: groupsAtOnce,
    all: (directories) => directories.list(groupDirectory),
  })
}

/** Those that the group lists, in its order. */
function listMembers(context: OperationContext, reference: string, group: string): Promise<readonly string[]> {
  return listUnchanged(context, {
    state: (directories) => directories.membershipGeneration(),
    page: async (directories, offset) =>
      (await directories.listTargetPage(reference, group, { prefix: '', offset, limit: membersAtOnce })).ids,
    pageSize: membersAtOnce,
    all: (directories) => directories.listTargets(reference, group),
  })
}

interface Listing<Item> {
  /** The same before and after: nothing has changed that would have moved an item to another page. */
  state(directories: DirectoryReader): Promise<number>
  page(directories: DirectoryReader, offset: number): Promise<readonly Item[]>
  readonly pageSize: number
  all(directories: DirectoryReader): Promise<readonly Item[]>
}

/**
 * A long list page by page, so that others have their turn between those, as it was at one moment. Where it changes again and again
 * meanwhile it is read at once.
 */
async function listUnchanged<Item>(context: OperationContext, listing: Listing<Item>): Promise<readonly Item[]> {
  const look = <Result>(body: (directories: DirectoryReader) => Promise<Result>) =>
    context.directories.read((session) => body(directoriesSeenBy(session)))
  for (let tried = 0; tried < looks; tried += 1) {
    const before = await look(listing.state)
    const items: Item[] = []
    for (;;) {
      const page = await look((directories) => listing.page(directories, items.length))
      for (const item of page) items.push(item)
      if (page.length < listing.pageSize) break
      context.host.signal.throwIfAborted()
      await yieldToEventLoop()
    }
    if (items.length < listing.pageSize || (await look(listing.state)) === before) return items
  }
  return look(listing.all)
}
