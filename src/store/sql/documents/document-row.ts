import sql, { join, raw, type Sql } from 'sql-template-tag'
import { memoised } from '../../../base/cache/memo.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { Properties, PropertyValue } from '../../../model/properties/property.ts'
import type { Acl } from '../../../model/rights/acl.ts'
import { parseStoredJson, storableJson, storableText } from '../../storable-text.ts'
import type { SqlRow, SqlValue } from '../connection.ts'
import type { Dialect } from '../dialect.ts'

type Written = (document: Document) => SqlValue

/** Where a document is; a statement of its own changes it. */
const place = {
  id: ({ id }) => storableText(id),
  parent_id: ({ parentId }) => parentId,
  name: ({ name }) => storableText(name, 'The name'),
  path: ({ path }) => path,
  pos: ({ position }) => position,
} satisfies Record<string, Written>

/** What an update seldom changes. */
const kind = {
  type: ({ type }) => type,
  facets: ({ facets }) => (facets.length === 0 ? null : textOfFacets(facets)),
  is_trashed: ({ isTrashed }) => flag(isTrashed),
  is_version: ({ isVersion }) => flag(isVersion),
  is_proxy: ({ isProxy }) => flag(isProxy),
  target_id: ({ targetId }) => targetId,
  series_id: ({ seriesId }) => seriesId,
  is_checked_in: ({ isCheckedIn }) => flag(isCheckedIn),
  major_version: ({ majorVersion }) => majorVersion,
  minor_version: ({ minorVersion }) => minorVersion,
  base_version_id: ({ baseVersionId }) => baseVersionId,
  is_latest_version: ({ isLatestVersion }) => flag(isLatestVersion),
  is_latest_major_version: ({ isLatestMajorVersion }) => flag(isLatestMajorVersion),
  version_created: ({ versionCreated }) => versionCreated,
  version_comment: ({ versionComment }) => (versionComment === null ? null : storableText(versionComment, 'The comment')),
  is_record: ({ isRecord }) => flag(isRecord),
  retain_until: ({ retainUntil }) => retainUntil,
  has_legal_hold: ({ hasLegalHold }) => flag(hasLegalHold),
  lock_owner: ({ lock }) => lock?.owner ?? null,
  lock_created: ({ lock }) => lock?.created ?? null,
} satisfies Record<string, Written>

/** What every update writes. */
const content = {
  state: ({ state }) => state,
  change_system: ({ changeToken }) => changeToken.system,
  change_user: ({ changeToken }) => changeToken.user,
  properties: ({ properties }) => storableJson(withoutUnset(properties)),
} satisfies Record<string, Written>

/** Who may do what; a statement of its own changes it. */
const rights = {
  acls: ({ acls }) => listOrNull(acls),
  acp_id: ({ acpId }) => acpId,
} satisfies Record<string, Written>

/**
 * The columns of a row, each with what is written of a document. Select lists, inserts, updates and the reading of rows all go by
 * this order, which stands nowhere else.
 */
const columns = { ...place, ...kind, ...content, ...rights }
const columnNames = Object.keys(columns)

/** The place of each column in a row with `documentColumns`. */
const at = Object.fromEntries(columnNames.map((name, index) => [name, index])) as {
  readonly [Name in keyof typeof columns]: number
}

/** Behind SELECT, for `documentOf`. */
export const documentColumns = raw(columnNames.join(', '))

// Whole pages of these stay below what an answer may have.
const maxLightBytes = 16_384

/** The same for statements that give many: of large documents only the size, for `heavyBytes`. */
export const listedColumns = memoised(
  (dialect: Dialect): Sql =>
    raw(columnNames.map((name) => (name === 'properties' ? dialect.lightJson(name, maxLightBytes) : name)).join(', ')),
)

/** Behind VALUES: a place for each value of `documentValues`. */
export const documentPlaces = join(columnNames.map(() => null))

const writtenColumns: readonly Written[] = Object.values(columns)
const writtenKind: readonly Written[] = Object.values(kind)

/** All values of a new row, in the order of `documentColumns`. */
export const documentValues = (document: Document): SqlValue[] => writtenColumns.map((written) => written(document))

/** Some of the columns, as an update writes them. */
export interface Assignments {
  /** Behind SET: a place for each value. */
  readonly places: Sql
  values(document: Document): SqlValue[]
}

function assignmentsOf(written: Readonly<Record<string, Written>>): Assignments {
  const each = Object.values(written)
  return {
    places: join(Object.keys(written).map((name) => sql`${raw(name)} = ${null}`)),
    values: (document) => each.map((one) => one(document)),
  }
}

export const assignContent = assignmentsOf(content)
export const assignKindAndContent = assignmentsOf({ ...kind, ...content })

/** Whether an update needs to write no more than the content, which spares SQLite the indexes on all other columns. */
export function isOfSameKind(before: Document, after: Document): boolean {
  return writtenKind.every((written) => written(before) === written(after))
}

// By index: taking the array apart by a pattern goes through its iterator, which costs more than the whole object.
export function documentOf(repository: string, row: SqlRow): Document {
  const facets = row[at.facets] as string | null
  const acls = row[at.acls] as string | null
  const lockOwner = row[at.lock_owner] as string | null
  return {
    repository,
    id: idOf(row),
    parentId: row[at.parent_id] as string | null,
    name: row[at.name] as string,
    path: row[at.path] as string | null,
    position: row[at.pos] as number | null,
    type: row[at.type] as string,
    facets: facets === null ? none : (parseStoredJson(facets) as readonly string[]),
    state: row[at.state] as string,
    isTrashed: row[at.is_trashed] === 1,
    isVersion: row[at.is_version] === 1,
    isProxy: row[at.is_proxy] === 1,
    targetId: row[at.target_id] as string | null,
    seriesId: row[at.series_id] as string | null,
    isCheckedIn: row[at.is_checked_in] === 1,
    majorVersion: row[at.major_version] as number,
    minorVersion: row[at.minor_version] as number,
    baseVersionId: row[at.base_version_id] as string | null,
    isLatestVersion: row[at.is_latest_version] === 1,
    isLatestMajorVersion: row[at.is_latest_major_version] === 1,
    versionCreated: row[at.version_created] as string | null,
    versionComment: row[at.version_comment] as string | null,
    isRecord: row[at.is_record] === 1,
    retainUntil: row[at.retain_until] as string | null,
    hasLegalHold: row[at.has_legal_hold] === 1,
    lock: lockOwner === null ? null : { owner: lockOwner, created: row[at.lock_created] as string },
    changeToken: { system: row[at.change_system] as number, user: row[at.change_user] as number },
    properties: parseStoredJson(row[at.properties] as string) as Properties,
    acls: acls === null ? none : aclsOf(acls),
    acpId: row[at.acp_id] as number,
  }
}

export function idOf(row: SqlRow): DocumentId {
  return row[at.id] as DocumentId
}

/** How large the properties are of which a row with `listedColumns` tells only that; undefined where it has them. */
export function heavyBytes(row: SqlRow): number | undefined {
  const properties = row[at.properties] as string | number
  return typeof properties === 'number' || !properties.startsWith('{') ? Number(properties) : undefined
}

export function lightBytes(row: SqlRow): number {
  return (row[at.properties] as string).length
}

export function aclsOf(text: string): readonly Acl[] {
  return parseStoredJson(text) as unknown as readonly Acl[]
}

export function listOrNull(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : storableJson(list)
}

const none: readonly never[] = []

// Each update looks whether they have changed.
const textOfFacets = memoised((facets: readonly string[]) => storableJson(facets))

function flag(is: boolean): number {
  return is ? 1 : 0
}

/** What is undefined has no place in JSON. */
function withoutUnset(properties: Properties): { readonly [name: string]: PropertyValue | undefined } {
  let set: { [name: string]: PropertyValue | undefined } | undefined
  for (const name in properties) {
    if (!isUnset(properties[name])) continue
    set ??= { ...properties }
    set[name] = undefined
  }
  return set ?? properties
}

function isUnset(value: Properties[string] | undefined): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}
