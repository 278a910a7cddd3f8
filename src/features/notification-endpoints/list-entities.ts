import { invalid, refuse } from './compute-problems.ts'
import type { FieldTypes } from './field-types.ts'
import { compileFilter, type EntityTest } from './filter/match-filter.ts'
import { FilterMistake } from './filter/parse-filter.ts'
import { type ListOrder, type PageKey, parseOrder } from './list-order.ts'
import type { Mount } from './mount.ts'
import { readPageToken, writePageToken } from './page-token.ts'
import type { JsonFields } from './spelling.ts'

/** What a client asks a list for (contract: notification-endpoint 4). */
export interface ListWishes {
  readonly filter?: string | undefined
  readonly maxResults?: string | undefined
  readonly orderBy?: string | undefined
  readonly pageToken?: string | undefined
}

/** Where the entries of a list come from. */
export interface ListSource<Stored> {
  /** What tells this list from others: a token of one is none of another. */
  readonly address: string
  readonly fields: FieldTypes
  read(order: ListOrder, after: PageKey | undefined, limit: number): Promise<readonly Stored[]>
  keyOf(stored: Stored, order: ListOrder): PageKey
  write(stored: Stored): JsonFields
}

export interface ListedPage<Stored> {
  readonly entries: readonly { readonly stored: Stored; readonly written: JsonFields }[]
  readonly nextPageToken?: string
  readonly isFirst: boolean
}

const largestPage = 500

/** One page of what the filter lets through. @throws faultyRequest */
export async function listEntities<Stored>(source: ListSource<Stored>, wishes: ListWishes): Promise<ListedPage<Stored>> {
  const size = parseMaxResults(wishes.maxResults)
  const order = parseOrder(wishes.orderBy)
  const isWanted = await parseWanted(wishes.filter, source.fields)
  const question = [source.address, wishes.filter ?? '', order.by, String(order.isDescending)]
  const start = readPageToken(question, wishes.pageToken)
  const entries: ListedPage<Stored>['entries'][number][] = []
  let after = start
  for (;;) {
    const batch = await source.read(order, after, largestPage + 1)
    for (const stored of batch) {
      const written = source.write(stored)
      if (isWanted(written)) {
        const last = entries.at(-1)
        if (entries.length === size && last !== undefined)
          return {
            entries,
            nextPageToken: writePageToken(question, source.keyOf(last.stored, order)),
            isFirst: start === undefined,
          }
        entries.push({ stored, written })
      }
      after = source.keyOf(stored, order)
    }
    if (batch.length <= largestPage) return { entries, isFirst: start === undefined }
  }
}

/** A list as it is answered, in camel case. */
export function writeList(mount: Mount, kind: string, id: string, base: string, page: ListedPage<unknown>): JsonFields {
  const { entries, nextPageToken } = page
  const isShown = entries.length > 0 || mount.showsEmptyItems
  return {
    kind,
    id,
    ...(isShown && { items: entries.map(({ written }) => written) }),
    ...(nextPageToken !== undefined && { nextPageToken }),
    selfLink: `${base}/${id}`,
  }
}

/** 0 stands for the largest page. */
function parseMaxResults(text = ''): number {
  const count = text.trim() === '' ? 0 : Number(text)
  if (Number.isInteger(count) && count >= 0 && count <= largestPage) return count === 0 ? largestPage : count
  const message = `Invalid value '${text.slice(0, 50)}'. Values must be within the range: [0, ${largestPage}]`
  return refuse({ message, reason: 'invalidParameter', parameter: 'maxResults' })
}

async function parseWanted(filter: string | undefined, fields: FieldTypes): Promise<EntityTest> {
  if (filter === undefined || filter.trim() === '') return () => true
  try {
    return await compileFilter(filter, fields)
  } catch (error) {
    if (!(error instanceof FilterMistake)) throw error
    return refuse(invalid(`Invalid value for field 'filter': ${error.message}.`, 'filter'))
  }
}
