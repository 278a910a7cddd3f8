import { parentPort, workerData } from 'node:worker_threads'
import { type DatabasePlace, postgresPlace, sqlitePlace } from '../../support/database-place.ts'

// The thread of `watchTree`: looks at the whole tree on a connection of its own, again and again until it is told to stop.

/** What a thread can be told of a place. */
export interface WatchedPlace {
  readonly engine: DatabasePlace['engine']
  readonly folder: string
  readonly url: string
  readonly schema: string
}

export interface Sightings {
  readonly looks: number
  /** What was seen that must never be. */
  readonly broken: readonly string[]
}

/** One statement, so one moment. The first column counts all documents that are somewhere, the others those that are amiss. */
const look = `
  SELECT count(*) AS documents,
         sum(CASE WHEN child.path <> CASE parent.path WHEN '/' THEN '' ELSE parent.path END || '/' || child.name
                  THEN 1 ELSE 0 END) AS "not where their parents are",
         sum(CASE WHEN child.acls IS NULL AND child.acp_id <> parent.acp_id THEN 1 ELSE 0 END) AS "without their parents' rights",
         sum(CASE WHEN child.is_trashed <> parent.is_trashed AND parent.name <> 'top' THEN 1 ELSE 0 END) AS "trashed by halves",
         (SELECT count(*) FROM documents AS version JOIN documents AS live ON live.id = version.series_id
           WHERE version.acp_id <> live.acp_id) AS "versions without the rights of their documents"
    FROM documents AS child JOIN documents AS parent ON parent.id = child.parent_id`

const { engine, folder, url, schema } = workerData as WatchedPlace
const place = engine === 'sqlite' ? sqlitePlace(folder) : postgresPlace(folder, url, schema)
let isOver = false
parentPort?.once('message', () => {
  isOver = true
})
parentPort?.postMessage('watching')
parentPort?.postMessage(await watch())
await place.close()
parentPort?.close()

async function watch(): Promise<Sightings> {
  let [looks, expected] = [0, -1]
  const broken = new Set<string>()
  while (!isOver) {
    const [{ documents, ...amiss } = {}] = await place.query(look)
    if (looks++ === 0) expected = Number(documents)
    if (Number(documents) !== expected) broken.add(`${documents} documents instead of ${expected}`)
    for (const [sentence, count] of Object.entries(amiss)) if (Number(count) > 0) broken.add(`${count} ${sentence}`)
    // The word to stop comes as a message, which a query that answers at once would never let through.
    await new Promise(setImmediate)
  }
  return { looks, broken: [...broken] }
}
