import { raw, type Sql } from 'sql-template-tag'
import type { Document } from '../../../model/document.ts'
import type { Properties } from '../../../model/properties/property.ts'
import type { Acl } from '../../../model/rights/acl.ts'
import { storableText } from '../../storable-text.ts'
import type { Row, SqlValue } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { parseStoredJson, storableJson } from '../stored-json.ts'

const placeColumns = ['id', 'parent_id', 'name', 'path', 'pos'] as const
const contentColumns = [
  'type',
  'facets',
  'state',
  'is_trashed',
  'is_version',
  'is_proxy',
  'target_id',
  'series_id',
  'is_checked_in',
  'major_version',
  'minor_version',
  'base_version_id',
  'is_latest_version',
  'is_latest_major_version',
  'version_created',
  'version_comment',
  'is_record',
  'retain_until',
  'has_legal_hold',
  'lock_owner',
  'lock_created',
  'change_system',
  'change_user',
  'properties',
] as const
const rightsColumns = ['acls', 'acp_id'] as const

/** In the order of `documentValues`. */
export const documentColumnNames: readonly string[] = [...placeColumns, ...contentColumns, ...rightsColumns]

/** Behind SELECT, for `documentOf`. */
export const documentColumns = raw(documentColumnNames.join(', '))

// Whole pages of these stay below what an answer may have.
const mostLightBytes = 16_384

/** The same for statements that give many: of large documents only the size, for `heavyBytes`. */
export function listedColumns(dialect: Dialect): Sql {
  const known = listedIn.get(dialect)
  if (known !== undefined) return known
  const listed = documentColumnNames.map((name) => (name === 'properties' ? dialect.lightJson(name, mostLightBytes) : name))
  const columns = raw(listed.join(', '))
  listedIn.set(dialect, columns)
  return columns
}

const listedIn = new WeakMap<Dialect, Sql>()

/** What an update writes, in the order of `contentValues`. */
export const contentColumnNames: readonly string[] = contentColumns

/** All values of a new row, in the order of `documentColumns`. */
export function documentValues(document: Document): SqlValue[] {
  const { id, parentId, name, path, position, acls, acpId } = document
  return [storableText(id), parentId, storableText(name), path, position, ...contentValues(document), listOrNull(acls), acpId]
}

export function contentValues(document: Document): SqlValue[] {
  return [
    document.type,
    listOrNull(document.facets),
    document.state,
    flag(document.isTrashed),
    flag(document.isVersion),
    flag(document.isProxy),
    document.targetId,
    document.seriesId,
    flag(document.isCheckedIn),
    document.majorVersion,
    document.minorVersion,
    document.baseVersionId,
    flag(document.isLatestVersion),
    flag(document.isLatestMajorVersion),
    document.versionCreated,
    document.versionComment === null ? null : storableText(document.versionComment),
    flag(document.isRecord),
    document.retainUntil,
    flag(document.hasLegalHold),
    document.lock?.owner ?? null,
    document.lock?.created ?? null,
    document.changeToken.system,
    document.changeToken.user,
    storableJson(withoutUnset(document.properties)),
  ]
}

// By index: taking the array apart by a pattern goes through its iterator, which costs more than the whole object.
export function documentOf(repository: string, row: Row): Document {
  return {
    repository,
    id: row[0] as string,
    parentId: row[1] as string | null,
    name: row[2] as string,
    path: row[3] as string | null,
    position: row[4] as number | null,
    type: row[5] as string,
    facets: row[6] === null ? none : (parseStoredJson(row[6] as string) as readonly string[]),
    state: row[7] as string,
    isTrashed: row[8] === 1,
    isVersion: row[9] === 1,
    isProxy: row[10] === 1,
    targetId: row[11] as string | null,
    seriesId: row[12] as string | null,
    isCheckedIn: row[13] === 1,
    majorVersion: row[14] as number,
    minorVersion: row[15] as number,
    baseVersionId: row[16] as string | null,
    isLatestVersion: row[17] === 1,
    isLatestMajorVersion: row[18] === 1,
    versionCreated: row[19] as string | null,
    versionComment: row[20] as string | null,
    isRecord: row[21] === 1,
    retainUntil: row[22] as string | null,
    hasLegalHold: row[23] === 1,
    lock: row[24] === null ? null : { owner: row[24] as string, created: row[25] as string },
    changeToken: { system: row[26] as number, user: row[27] as number },
    properties: parseStoredJson(row[28] as string) as Properties,
    acls: row[29] === null ? none : aclsOf(row[29] as string),
    acpId: row[30] as number,
  }
}

/** How large the properties are of which a row with `listedColumns` tells only that; undefined where it has them. */
export function heavyBytes(row: Row): number | undefined {
  const properties = row[propertiesIndex] as string | number
  return typeof properties === 'number' || !properties.startsWith('{') ? Number(properties) : undefined
}

export function lightBytes(row: Row): number {
  return (row[propertiesIndex] as string).length
}

const propertiesIndex = documentColumnNames.indexOf('properties')

export function aclsOf(text: string): readonly Acl[] {
  return parseStoredJson(text) as unknown as readonly Acl[]
}

export function listOrNull(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : storableJson(list)
}

const none: readonly never[] = []

function flag(is: boolean): number {
  return is ? 1 : 0
}

function withoutUnset(properties: Properties): Properties {
  const names = Object.keys(properties)
  if (!names.some((name) => isUnset(properties[name]))) return properties
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => !isUnset(value)))
}

function isUnset(value: Properties[string] | undefined): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}
