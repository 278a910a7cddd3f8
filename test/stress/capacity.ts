import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { departments, file } from '../../bench/load/documents.ts'
import { fillRepository, readRepository } from '../../bench/load/fill-repository.ts'
import { editor, reader } from '../../bench/load/people.ts'
import * as tree from '../../bench/load/tree.ts'
import { newId } from '../../src/base/ids.ts'
import type { Document } from '../../src/model/document.ts'
import { effectiveAces, grant, localAclName } from '../../src/model/rights/acl.ts'
import type { Transaction } from '../../src/store/store.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { createRandom, type Random } from '../faults/kill/random.ts'
import { commandLineAt } from '../support/command-line.ts'
import type { DatabasePlace, EngineName } from '../support/database-place.ts'
import { aStoredChild, aStoredVersion } from '../support/stored-document.ts'
import { diskOf, type Request, tellDisk, tellTimes, timesOf } from './capacity-measures.ts'
import { onStressPlace } from './stress-place.ts'

interface Growth {
  readonly name: string
  /** The smallest size, and the one beyond which filling takes too long. */
  readonly sizes: readonly [first: number, last: number]
  /** Has so many of them be there. */
  fill(server: TestServer, place: DatabasePlace, from: number, to: number): Promise<void>
  requests(random: Random, size: number): readonly Request[]
}

/** Documents that are there before anything else grows. */
const smallBase = 2_000

/**
 * Fills databases with more and more of one kind of thing, and prints what each takes on the disk, how fast they came, how much memory
 * the server takes and how long requests take. Judges nothing: docs/capacity.md has what it printed, and what follows from it.
 */
export async function stressCapacity(
  engine: EngineName,
  largest: number,
  seed: number,
  only: string | undefined,
): Promise<boolean> {
  console.log(`${engine}: up to ${largest.toLocaleString('en')} of each, seed ${seed}`)
  const isWanted = ({ name }: { readonly name: string }) => only === undefined || only.split(',').includes(name)
  if (isWanted(documents))
    await onStressPlace(engine, async (place) => {
      await withServer(place, (server) => fillRepository(server, 0, () => {}))
      await grow(place, documents, largest, seed)
    })
  const others = [audit, texts, rights, versions].filter(isWanted)
  if (others.length > 0)
    await onStressPlace(engine, async (place) => {
      await withServer(place, (server) => fillRepository(server, smallBase, () => {}))
      for (const growth of others) await grow(place, growth, largest, seed)
    })
  if (engine === 'sqlite' && isWanted({ name: 'files' })) await onStressPlace(engine, (place) => growFiles(place, largest))
  return true
}

async function grow(place: DatabasePlace, { name, sizes: [first, last], fill, requests }: Growth, largest: number, seed: number) {
  let before = await diskOf(place)
  for (let from = 0, to = first; to <= Math.min(largest, last); from = to, to *= 10) {
    const [started, used] = [performance.now(), process.cpuUsage()]
    await withServer(place, (server) => fill(server, place, from, to))
    const seconds = (performance.now() - started) / 1_000
    const { user, system } = process.cpuUsage(used)
    const disk = await diskOf(place)
    const processor = (user + system) / (to - from)
    console.log(
      `\n${place.engine}, ${to.toLocaleString('en')} ${name}: ${Math.round((to - from) / seconds)} a second, ${processor.toFixed(0)} µs of processor time each, without the database server's`,
    )
    tellDisk(before, disk, to - from)
    tellTimes(await timesOf(place, requests(createRandom(seed), to)))
    before = await diskOf(place)
  }
}

async function withServer<Result>(place: DatabasePlace, work: (server: TestServer) => Promise<Result>): Promise<Result> {
  const server = await startTestServer({ settings: { ...place.settings, conversionInBackground: false } })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

const execute = (query: string, pageSize: number) => `/search/execute?query=${encodeURIComponent(query)}&pageSize=${pageSize}`
const readableFile = (random: Random, size: number) => {
  for (;;) {
    const number = random.between(0, size)
    if (tree.isReadable(number)) return number
  }
}

/** What everybody does, wherever the figures grow. */
function usual(random: Random, size: number): readonly Request[] {
  const anyFolder = () => tree.folderPath(tree.folderOf(readableFile(random, size)))
  return [
    { name: 'a document', user: reader.name, times: 200, path: () => `/id/${tree.idOf('file', readableFile(random, size))}` },
    { name: 'a page of a folder', user: reader.name, times: 50, path: () => `/path${anyFolder()}/@children?pageSize=50` },
    {
      name: 'creating a document',
      user: editor.name,
      times: 100,
      path: () => `/path${tree.inboxPath(random.between(0, tree.inboxCount))}`,
      body: () => ({
        'entity-type': 'document',
        type: 'File',
        name: newId(),
        properties: { 'dc:title': 'a new one', 'dc:source': 'x' },
      }),
    },
  ]
}

const documents: Growth = {
  name: 'documents',
  sizes: [10_000, 10_000_000],
  async fill(server, _, __, to) {
    await fillRepository(server, to, () => {})
  },
  requests: (random, size) => [
    ...usual(random, size),
    {
      name: 'children by a query, in order of title',
      user: reader.name,
      times: 30,
      path: () => {
        const id = tree.idOf('folder', tree.folderOf(readableFile(random, size)))
        return execute(`SELECT * FROM File WHERE ecm:parentId = '${id}' AND ecm:isTrashed = 0 ORDER BY dc:title`, 50)
      },
    },
    {
      name: 'full text, a word of one document',
      user: reader.name,
      times: 50,
      path: () => execute(`SELECT * FROM File WHERE ecm:fulltext = '${readableFile(random, size)}'`, 20),
    },
    {
      name: 'full text, a word of every ninth document, the best 20 and their number',
      user: reader.name,
      times: departments.length,
      path: (turn) => execute(`SELECT * FROM File WHERE ecm:fulltext = '${departments[turn % departments.length]}'`, 20),
    },
    {
      name: 'part of a title',
      user: reader.name,
      times: 20,
      path: () => execute(`SELECT * FROM File WHERE dc:title ILIKE '%${readableFile(random, size)}%'`, 20),
    },
  ],
}

/** Documents of the repository, some at a time. */
async function inSteps(
  server: TestServer,
  from: number,
  to: number,
  work: (tx: Transaction, numbers: readonly number[]) => Promise<void>,
) {
  const { store } = readRepository(server)
  const step = 5_000
  for (let start = from; start < to; start += step)
    await store.transact((tx) =>
      work(
        tx,
        Array.from({ length: Math.min(step, to - start) }, (_, index) => start + index),
      ),
    )
}

const versions: Growth = {
  name: 'versions',
  sizes: [10_000, 1_000_000],
  fill: (server, _, from, to) =>
    inSteps(server, from, to, async (tx, numbers) => {
      const live = await tx.documents.findAll([...new Set(numbers.map((number) => tree.idOf('file', number % smallBase)))])
      const byId = new Map(live.map((one) => [one.id, one]))
      const made = numbers.flatMap((number) => {
        const document = byId.get(tree.idOf('file', number % smallBase))
        const versionCreated = new Date(1_700_000_000_000 + number * 1_000).toISOString()
        const told = { majorVersion: 1 + Math.floor(number / smallBase), minorVersion: 0, versionCreated }
        return document === undefined ? [] : [aStoredVersion(document, told)]
      })
      await tx.documents.insertMany(made)
    }),
  requests: (random) => [
    ...usual(random, smallBase),
    {
      name: 'the versions of a document',
      user: reader.name,
      times: 50,
      path: () => {
        const id = tree.idOf('file', readableFile(random, smallBase))
        return execute(`SELECT * FROM File WHERE ecm:isVersion = 1 AND ecm:versionVersionableId = '${id}'`, 20)
      },
    },
  ],
}

const rights: Growth = {
  name: 'rights',
  // Each is written by itself.
  sizes: [1_000, 100_000],
  fill: (server, _, from, to) =>
    inSteps(server, from, to, async (tx, numbers) => {
      const home = await tx.documents.findByPath(tree.homePath)
      if (home === undefined) throw new Error('There is no home.')
      const inherited = (await tx.acps.find(home.acpId))?.aces ?? []
      const folders: Document[] = []
      for (const number of numbers) {
        const acls = [{ name: localAclName, aces: [grant(`person-${number}`, 'ReadWrite')] }]
        const acpId = await tx.acps.intern(effectiveAces(acls, inherited))
        folders.push({ ...aStoredChild(home, `own-${number}`, { acls, acpId }), type: 'Folder' })
      }
      await tx.documents.insertMany(folders)
    }),
  requests: (random) => [
    ...usual(random, smallBase),
    {
      name: 'a page of the folder whose children each have rights of their own',
      user: reader.name,
      times: 20,
      path: (turn) => `/path${tree.homePath}/@children?pageSize=50&currentPageIndex=${turn}`,
    },
    {
      name: 'a search in everything',
      user: reader.name,
      times: 20,
      path: (turn) => execute(`SELECT * FROM Folder WHERE dc:title = 'none ${turn}'`, 20),
    },
  ],
}

const textWords = 300
const vocabulary = 20_000

const texts: Growth = {
  name: 'texts',
  sizes: [200, smallBase],
  fill: (server, _, from, to) =>
    inSteps(server, from, to, async (tx, numbers) => {
      for (const number of numbers) {
        const { id, properties } = file(number)
        const { key = '' } = properties['file:content'] as { key?: string }
        await tx.fileTexts.save({ key, mimeType: 'application/pdf' }, aText(number))
        await tx.fileTexts.index(id)
      }
    }),
  requests: (random, size) => [
    ...usual(random, smallBase),
    {
      name: 'full text, two words of which both are in some hundred',
      user: reader.name,
      times: 30,
      path: () =>
        execute(
          `SELECT * FROM File WHERE ecm:fulltext = '${aWord(random.between(0, size))} ${aWord(random.between(0, size))}'`,
          20,
        ),
    },
  ],
}

/** Few words come often, and most now and then, as in any language. */
const aWord = (chance: number) => `word${Math.floor(vocabulary ** ((tree.scatter(chance) % 10_000) / 10_000))}`
const aText = (number: number) => Array.from({ length: textWords }, (_, word) => aWord(number * textWords + word)).join(' ')

const rowsAtOnce = 100_000

const audit: Growth = {
  name: 'audit',
  sizes: [10_000, 10_000_000],
  async fill(server, place, from, to) {
    const { store } = readRepository(server)
    const isPostgres = place.engine === 'postgres'
    const padded = (number: string) => (isPostgres ? `lpad(to_hex(${number}), 12, '0')` : `printf('%012x', ${number})`)
    for (let start = from; start < to; start += rowsAtOnce) {
      const end = Math.min(to, start + rowsAtOnce) - 1
      const series = isPostgres
        ? `SELECT n FROM generate_series(${start}, ${end}) AS numbers(n)`
        : `WITH RECURSIVE numbers(n) AS (SELECT ${start} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${end}) SELECT n FROM numbers`
      const insert = `
        INSERT INTO audit_entries (event_id, event_date, log_date, category, principal_name, doc_uuid, doc_type, doc_path, doc_life_cycle, repository_id)
        SELECT CASE n % 5 WHEN 0 THEN 'documentCreated' WHEN 1 THEN 'download' ELSE 'documentModified' END,
               1700000000000 + CAST(n AS bigint) * 1000, 1700000000000 + CAST(n AS bigint) * 1000, 'eventDocumentCategory', 'user-' || (n % 500),
               '00000000-0000-7000-8000-' || ${padded('(n * 31) % 1000003')}, 'File',
               '/default-domain/workspaces/bench/team-' || (n % 300) || '/folder-' || (n % 10007) || '/report-' || n || '.pdf', 'project', 'default'
          FROM (${series}) AS numbered`
      await store.transact(({ tables }) => tables.run(sql`${raw(insert)}`))
    }
  },
  requests: (random) => [
    ...usual(random, smallBase),
    {
      name: 'the newest rows of the whole log',
      user: 'Administrator',
      times: 20,
      path: (turn) => `/search/pp/EVENTS_VIEW/execute?pageSize=50&currentPageIndex=${turn}`,
    },
    {
      name: 'the history of a document',
      user: reader.name,
      times: 50,
      path: () => `/id/${tree.idOf('file', readableFile(random, smallBase))}/@audit?pageSize=50`,
    },
  ],
}

const fileBytes = 1_000

/** Files as a server keeps them, straight on the disk: what it costs to write one durably is told by `npm run bench`. */
async function growFiles(place: DatabasePlace, largest: number): Promise<void> {
  await withServer(place, async () => {})
  const folder = join(place.folder, 'blobs/data')
  const content = Buffer.alloc(fileBytes, 'x')
  for (let from = 0, to = 10_000; to <= Math.min(largest, 1_000_000); from = to, to *= 10) {
    for (let number = from; number < to; number++) {
      const key = Array.from({ length: 8 }, (_, part) =>
        tree
          .scatter(number * 8 + part)
          .toString(16)
          .padStart(8, '0'),
      ).join('')
      const at = join(folder, key.slice(0, 2), key.slice(2, 4))
      await mkdir(at, { recursive: true })
      await writeFile(join(at, key), content)
    }
    const folders = (await readdir(folder)).length
    const started = performance.now()
    await commandLineAt(place).json(['gc', '--dry-run', '--blob-gc-grace', '0s'])
    const seconds = (performance.now() - started) / 1_000
    console.log(`\n${to.toLocaleString('en')} files in ${folders} folders of folders: looked through in ${seconds.toFixed(1)} s`)
  }
}
