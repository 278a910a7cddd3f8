import sql from 'sql-template-tag'
import { newId } from '../../src/base/ids.ts'
import type { Document } from '../../src/model/document.ts'
import type { SqlRow } from '../../src/store/sql/connection.ts'
import { documentOf } from '../../src/store/sql/documents/document-row.ts'
import { documentById, insertDocument, updateDocument } from '../../src/store/sql/documents/document-statements.ts'
import { textKey } from '../../src/store/sql/documents/property-key.ts'
import type { WholeAnswer } from '../http/call.ts'
import { type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { differingSender, readJson, serveBare } from './bare-http.ts'
import { createBareIndex } from './bare-index.ts'
import { runAsBareProgram } from './bare-program.ts'
import { recordsOfChanges, repeatedRows } from './repeated-rows.ts'
import { createSharedCommits } from './shared-commits.ts'

/** What one request of a review wrote, by the ids of documents. */
export interface ReviewStep {
  readonly inserted: readonly string[]
  readonly updated: readonly string[]
  readonly answer: WholeAnswer
  /** To the look for the task that was opened by it. */
  readonly listed?: WholeAnswer
}

export interface ReviewSetup {
  readonly database: DatabasePlace
  /** Written in one commit: the server's connections share theirs. */
  readonly together: number
  /** Of a review that the server has done. */
  readonly routeId: string
  /** A node of it. */
  readonly nodeId: string
  readonly steps: readonly ReviewStep[]
}

interface Written {
  readonly values: readonly unknown[]
  readonly document: Document
}

/** A review that has begun. */
interface Review {
  /** Of its documents, by those of the review that it repeats. */
  readonly ids: ReadonlyMap<string, string>
  readonly suffix: string
  readonly live: Map<string, Document>
  done: number
}

// Writes the rows that the server writes for a review: those of the instance, its nodes and tasks, what changes of them with each
// request, the audit log and the outbox. In a loop it does that alone; over HTTP it also finds the task that is asked for, reads the
// instance and its nodes before it goes on with them, and sends the server's answers.
runAsBareProgram(async ({ database: place, together, routeId, nodeId, steps }: ReviewSetup) => {
  const database = await openBareDatabase(place)
  const find = database.prepare(documentById(''))
  const templates = new Map<string, Written>()
  for (const id of new Set(steps.flatMap(({ inserted }) => inserted)))
    for (const row of await find([id])) templates.set(id, { values: row, document: documentOf('default', row) })
  const [first] = templates.values()
  if (first === undefined) throw new Error('There is no review to repeat.')
  const insert = database.prepare(insertDocument(first.document))
  const update = database.prepare(updateDocument(first.document, first.document))
  const index = createBareIndex(database)
  const ofReview = [...templates.keys()]
  const records = await Promise.all(recordsOfChanges.map((rows) => repeatedRows(database, rows, ofReview)))

  /** The same rows with other ids and names. */
  const copied = ({ values, document }: Written, ids: ReadonlyMap<string, string>, suffix: string): Written => {
    const renamed = values.map((value) => (typeof value === 'string' ? replaced(value, ids, suffix) : value))
    return { values: renamed, document: documentOf('default', renamed as unknown as SqlRow) ?? document }
  }
  const begin = (): Review => {
    const ids = new Map([...templates.keys()].map((id) => [id, newId()]))
    return { ids, suffix: newId(), live: new Map(), done: 0 }
  }
  async function goOn(review: Review): Promise<void> {
    const { ids, suffix, live } = review
    const { inserted, updated } = steps[review.done++] as ReviewStep
    for (const id of inserted) {
      const { values, document } = copied(templates.get(id) as Written, ids, suffix)
      const [row] = await insert(values)
      await index.add(row?.[0] as number, document)
      live.set(id, document)
    }
    for (const id of updated) {
      const before = live.get(id) as Document
      const token = { ...before.changeToken, system: before.changeToken.system + 1 }
      const after = {
        ...before,
        properties: { ...before.properties, 'dc:modified': new Date().toISOString() },
        changeToken: token,
      }
      await update(updateDocument(before, after).values)
      live.set(id, after)
    }
    // All at once: whose rows they are is not told apart.
    if (review.done === steps.length) for (const repeat of records) await repeat(ids)
  }
  async function reviewOnce(): Promise<void> {
    const review = begin()
    while (review.done < steps.length) await goOn(review)
  }

  const shareCommit = createSharedCommits(database, index.writeWords)
  const senders = steps.map(({ answer, listed }) => ({
    answer: differingSender(answer),
    listed: listed && differingSender(listed),
  }))
  const processKey = textKey(database.dialect, 'nt:processId')
  const findTask = database.prepare(sql`SELECT id FROM documents WHERE ${processKey} = ${''} AND state = ${'opened'}`)
  const findNodes = database.prepare(sql`SELECT id, state, properties FROM documents WHERE parent_id = ${''}`)
  /** By the ids of the instance and of its tasks. */
  const reviews = new Map<string, Review>()
  const sendersOf = ({ done }: Review) => senders[done - 1] as (typeof senders)[number]

  async function start(): Promise<Review> {
    const review = begin()
    for (const id of review.ids.values()) reviews.set(id, review)
    await shareCommit(() => goOn(review))
    return review
  }
  async function complete(review: Review, taskId: string): Promise<void> {
    await shareCommit(async () => {
      await find([taskId])
      await find([review.ids.get(routeId)])
      await findNodes([review.ids.get(routeId)])
      await goOn(review)
    })
  }
  async function listTasks({ ids }: Review): Promise<void> {
    for (const [id] of await findTask([ids.get(routeId), 'opened'])) await find([id])
    // A task shows the instance and the node that it belongs to.
    await find([ids.get(routeId)])
    await find([ids.get(nodeId)])
  }

  return {
    pieces: together,
    once: () => database.transact(together, reviewOnce, index.writeWords),
    url: await serveBare(async (request, response) => {
      const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(request.url ?? '') ?? []
      const known = reviews.get(id)
      if (request.method !== 'GET') await readJson(request)
      const review = known ?? (await start())
      if (request.method === 'GET') await listTasks(review)
      else if (known !== undefined) await complete(review, id)
      const { answer, listed } = sendersOf(review)
      const send = request.method === 'GET' ? listed : answer
      send?.(response, review.ids)
    }),
  }
})

function replaced(text: string, ids: ReadonlyMap<string, string>, suffix: string): string {
  let changed = text
  for (const [from, to] of ids) changed = changed.replaceAll(from, to)
  return changed.replace(/(SerialDocumentReview|Task38e|Task6d8)\.\d+/g, `$1.${suffix}`)
}
