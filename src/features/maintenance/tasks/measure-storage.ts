import type { BlobUses } from '../../../core/blob-check/check-blobs.ts'
import { blobsIn } from '../../../model/properties/property.ts'
import type { Services } from '../../../rest/services.ts'
import type { DocumentTally } from '../../../store/documents.ts'
import type { MaintenanceTask } from '../maintenance-task.ts'
import { countFiles, everyFile, type FilePlace } from './every-file.ts'

/** What something takes: of each file once, however many documents have it. */
export type Amount = { readonly documents: number; readonly files: number; readonly bytes: number }
type Amounts = { readonly [name: string]: Amount }

export type MeasuredStorage = {
  /** Where the counting of documents was left; null once all are counted. */
  readonly document: { readonly repository: string; readonly seq: number } | null
  readonly place: FilePlace
  readonly all: Amount
  readonly types: Amounts
  readonly people: Amounts
  readonly months: Amounts
}

const nothing: Amount = { documents: 0, files: 0, bytes: 0 }
const documentsAtOnce = 2_000
/** Of as many people the sums go from turn to turn; who has least is left out beyond. */
const mostPeople = 5_000

/** Counts documents and the bytes of their files, by type, by who created them and by month. A file counts for the first of its documents. */
export const measureStorage: MaintenanceTask<MeasuredStorage> = {
  name: 'measureStorage',
  begin: async (services) => ({
    done: 0,
    total: await countFiles(services),
    state: {
      document: { repository: [...services.repositories.keys()][0] ?? '', seq: 0 },
      place: null,
      all: nothing,
      types: {},
      people: {},
      months: {},
    },
  }),
  async turn(services, { done, total, state }, { isTimeUp }) {
    const sums = new Sums(state)
    let [document, place, files] = [state.document, state.place, done]
    const left = (isOver: boolean) => ({ done: files, total, state: { document, place, ...sums.write() }, isOver })
    while (document !== null) {
      const rows = await services.repositories
        .get(document.repository)
        ?.store.reader.documents.tally(document.seq, documentsAtOnce)
      for (const row of rows ?? []) sums.addDocuments(row)
      document = nextDocument(services, document.repository, rows ?? [])
      if (isTimeUp()) return left(false)
    }
    for await (const found of everyFile(services, place)) {
      sums.addFile(found.uses)
      place = found.place
      files += 1
      if (isTimeUp()) return left(false)
    }
    return left(true)
  },
  outcome: ({ all, types, people, months }) => ({ all, types, people, months }),
}

function nextDocument(services: Services, repository: string, rows: readonly DocumentTally[]): MeasuredStorage['document'] {
  const counted = rows.reduce((sum, { count }) => sum + count, 0)
  if (counted === documentsAtOnce) return { repository, seq: rows.at(-1)?.seq ?? 0 }
  const names = [...services.repositories.keys()]
  const next = names[names.indexOf(repository) + 1]
  return next === undefined ? null : { repository: next, seq: 0 }
}

class Sums {
  #all: Amount
  readonly #by: {
    readonly types: Map<string, Amount>
    readonly people: Map<string, Amount>
    readonly months: Map<string, Amount>
  }

  constructor({ all, types, people, months }: Pick<MeasuredStorage, 'all' | 'types' | 'people' | 'months'>) {
    this.#all = all
    this.#by = {
      types: new Map(Object.entries(types)),
      people: new Map(Object.entries(people)),
      months: new Map(Object.entries(months)),
    }
  }

  addDocuments({ type, creator, month, count }: Pick<DocumentTally, 'type' | 'creator' | 'month' | 'count'>): void {
    this.#add({ type, creator, month }, { documents: count, files: 0, bytes: 0 })
  }

  addFile(uses: BlobUses): void {
    const { key, type, properties } = firstOf(uses)
    const length = Object.values(properties)
      .flatMap(blobsIn)
      .find((blob) => blob.key === key)?.length
    const created = textIn(properties['dc:created'])
    this.#add(
      { type, creator: textIn(properties['dc:creator']), month: created === null ? null : created.slice(0, 7) },
      { documents: 0, files: 1, bytes: length ?? 0 },
    )
  }

  #add({ type, creator, month }: Pick<DocumentTally, 'type' | 'creator' | 'month'>, amount: Amount): void {
    this.#all = sumOf(this.#all, amount)
    const { types, people, months } = this.#by
    types.set(type, sumOf(types.get(type), amount))
    people.set(creator ?? '', sumOf(people.get(creator ?? ''), amount))
    months.set(month ?? '', sumOf(months.get(month ?? ''), amount))
  }

  write(): Pick<MeasuredStorage, 'all' | 'types' | 'people' | 'months'> {
    const { types, people, months } = this.#by
    const most = [...people].sort(byAmount).slice(0, mostPeople)
    return {
      all: this.#all,
      types: Object.fromEntries(types),
      people: Object.fromEntries(most),
      months: Object.fromEntries(months),
    }
  }
}

/** The most bytes first, then the most documents. */
export function byAmount([one, left]: readonly [string, Amount], [other, right]: readonly [string, Amount]): number {
  return right.bytes - left.bytes || right.documents - left.documents || (one < other ? -1 : 1)
}

function sumOf(left: Amount = nothing, right: Amount): Amount {
  return {
    documents: left.documents + right.documents,
    files: left.files + right.files,
    bytes: left.bytes + right.bytes,
  }
}

/** The document that had it before the others. */
function firstOf(uses: BlobUses): BlobUses[0] {
  return uses.reduce((first, use) => (use.seq < first.seq ? use : first))
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
