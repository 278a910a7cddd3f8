import type { Repository } from '../../../core/session.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { type DocumentIndexing, entryOf, type FulltextEntry } from '../../../nxql/document-indexing.ts'
import { textSourceOf } from '../../../store/file-texts.ts'
import { documentsTooLarge } from '../../../store/problems.ts'
import { type EngineClient, indexMissing, writeAlias } from '../engine-client.ts'
import type { EngineCounts } from '../engine-counts.ts'
import { indexedDocument } from './indexed-document.ts'

export interface FeedOptions {
  readonly client: EngineClient
  readonly repository: Repository
  readonly indexing: DocumentIndexing
  /** Most bytes that are sent at once. */
  readonly bulkBytes: number
  readonly counts: EngineCounts
}

/** Tells the engine what documents are now. */
export interface EngineFeed {
  /**
   * Brings the documents into the indexes as they are now, and takes out those that are gone. The number grows with what is known: what was
   * told with a smaller one never comes to stand over it, however late it is.
   */
  tell(indexes: readonly string[], ids: readonly DocumentId[], version: number): Promise<void>
  /** Notes in the engine itself how far an index has been told. */
  notePosition(positions: string, index: string, position: number): Promise<void>
}

/** Of what is loaded at once. */
const mostBytes = 20_000_000
const longestLine = 1_000_000_000

const conflict = 409
const missing = 404
const firstFailure = 500
const throttled = 429

export function createEngineFeed({ client, repository, indexing, bulkBytes, counts }: FeedOptions): EngineFeed {
  const { store, model, log } = repository
  const { documents, fileTexts } = store.reader

  async function tell(indexes: readonly string[], ids: readonly DocumentId[], version: number): Promise<void> {
    const loaded = await load(ids)
    if (loaded === undefined) {
      // Too much to have at once.
      const half = Math.ceil(ids.length / 2)
      await tell(indexes, ids.slice(0, half), version)
      return tell(indexes, ids.slice(half), version)
    }
    const numbers = new Map((await documents.listNumbers(ids)).map(({ id, seq }) => [id, seq]))
    const byId = new Map(loaded.map((document) => [document.id, document]))
    const sending = createBulk(send, bulkBytes)
    for (const id of new Set(ids)) {
      const [document, seq] = [byId.get(id), numbers.get(id)]
      // One that was removed in between is told of by its event.
      if (document !== undefined && seq === undefined) continue
      const source =
        document === undefined || seq === undefined
          ? undefined
          : JSON.stringify(indexedDocument(model, document, seq, await wordsOf(document), await shownBy(document)))
      for (const index of indexes) await sending.add(lineOf(index, id, version, source))
    }
    await sending.end()
  }

  /** Undefined where they are too large together. */
  async function load(ids: readonly DocumentId[]): Promise<readonly Document[] | undefined> {
    try {
      return await documents.findAll(ids, ids.length > 1 ? mostBytes : undefined)
    } catch (error) {
      if (documentsTooLarge.is(error)) return undefined
      throw error
    }
  }

  /** What a proxy points to; any other document shows itself. */
  async function shownBy(document: Document): Promise<Document> {
    return (document.isProxy && document.targetId !== null ? await documents.find(document.targetId) : undefined) ?? document
  }

  /** As the database makes them of the same texts in the same order. */
  async function wordsOf(document: Document): Promise<FulltextEntry> {
    const texts: string[] = []
    for (const blob of indexing.blobsOf(document.properties)) texts.push(...(await fileTexts.list([textSourceOf(blob)])))
    return entryOf(indexing.wordsOf(document, indexing.textsOf(document), texts))
  }

  /** @throws what has to be tried again. A document that the engine will never take is left out, and told of. */
  async function send(lines: string, count: number): Promise<void> {
    const outcomes = await client.bulk(lines)
    const failed = outcomes.filter(({ status, reason }) => status !== conflict && reason !== undefined)
    const passing = failed.find(({ status }) => status === throttled || status >= firstFailure)
    if (passing !== undefined) throw new Error(`The search engine takes nothing now: ${passing.status} ${passing.reason}`)
    if (failed.some(({ status }) => status === missing)) throw indexMissing({ index: repository.name })
    for (const { id, status, reason } of failed) {
      counts.fed.add({ repository: repository.name, outcome: 'refused' })
      const about = { event: 'searchEngine.refused', repository: repository.name, id, status, reason }
      log.warn(about, 'the search engine does not take a document, which it will not find')
    }
    counts.fed.add({ repository: repository.name, outcome: 'told' }, count - outcomes.length)
    counts.fed.add({ repository: repository.name, outcome: 'known' }, outcomes.length - failed.length)
  }

  return {
    tell,
    async notePosition(positions, index, position) {
      await send(lineOf(positions, index, position, JSON.stringify({ position })), 1)
    },
  }
}

/** One line that says what is to be done, and for a document that is there another one with it. */
function lineOf(index: string, id: DocumentId, version: number, source: string | undefined): string {
  // The engine wants numbers from 1 on.
  const about = JSON.stringify({ _index: writeAlias(index), _id: id, version: version + 1, version_type: 'external' })
  return source === undefined ? `{"delete":${about}}\n` : `{"index":${about}}\n${source}\n`
}

/** Gathers lines until there are as many bytes as are sent at once. */
function createBulk(send: (lines: string, count: number) => Promise<void>, mostAtOnce: number) {
  let lines: string[] = []
  let bytes = 0
  const flush = async () => {
    if (lines.length === 0) return
    const sent = lines
    lines = []
    bytes = 0
    await send(sent.join(''), sent.length)
  }
  return {
    async add(line: string): Promise<void> {
      if (line.length > longestLine) throw new Error('A document is too large for any request.')
      const size = Buffer.byteLength(line)
      if (bytes + size > mostAtOnce) await flush()
      lines.push(line)
      bytes += size
    },
    end: flush,
  }
}
