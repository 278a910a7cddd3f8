import { raw, type Sql } from 'sql-template-tag'
import type { SystemName } from '../../../nxql/system-properties.ts'

export interface SystemColumn {
  readonly column: Sql
  /** Other documents have a value there too, but it means something else. */
  readonly only?: Sql
  /** Not compared by code point by itself, as columns are. */
  readonly isComputedText?: boolean
  readonly isNullable: boolean
}

const isOfVersion = raw('(documents.is_version = 1 OR (documents.is_proxy = 1 AND documents.target_id <> documents.series_id))')
const isProxy = raw('documents.is_proxy = 1')

const given = (column: string): SystemColumn => ({ column: raw(`documents.${column}`), isNullable: false })
const nullable = (column: string): SystemColumn => ({ column: raw(`documents.${column}`), isNullable: true })
/** What locks and keeps a document is not repeated by its proxies, which nothing locks or keeps where they are; they show it. */
const shownOf = (column: string) =>
  raw(`CASE WHEN documents.is_proxy = 1 THEN (SELECT target.${column} FROM documents target WHERE target.id = documents.target_id)
            ELSE documents.${column} END`)

/** Where a row has what the system says of a document. A proxy's row repeats most of what it shows of its target. */
export const systemColumns: ReadonlyMap<SystemName, SystemColumn> = new Map<SystemName, SystemColumn>([
  ['ecm:uuid', given('id')],
  ['ecm:name', given('name')],
  ['ecm:path', nullable('path')],
  ['ecm:parentId', nullable('parent_id')],
  ['ecm:pos', nullable('pos')],
  ['ecm:primaryType', given('type')],
  ['ecm:currentLifeCycleState', given('state')],
  ['ecm:isTrashed', given('is_trashed')],
  ['ecm:isProxy', given('is_proxy')],
  ['ecm:isVersion', given('is_version')],
  [
    'ecm:isCheckedIn',
    { column: raw('(documents.is_checked_in * (1 - documents.is_version) * (1 - documents.is_proxy))'), isNullable: false },
  ],
  ['ecm:isLatestVersion', given('is_latest_version')],
  ['ecm:isLatestMajorVersion', given('is_latest_major_version')],
  ['ecm:isRecord', { column: shownOf('is_record'), isNullable: false }],
  ['ecm:hasLegalHold', { column: shownOf('has_legal_hold'), isNullable: false }],
  ['ecm:retainUntil', { column: shownOf('retain_until'), isNullable: true }],
  [
    'ecm:versionLabel',
    {
      column: raw("(documents.major_version || '.' || documents.minor_version)"),
      isComputedText: true,
      only: isOfVersion,
      isNullable: true,
    },
  ],
  ['ecm:versionDescription', nullable('version_comment')],
  ['ecm:versionCreated', nullable('version_created')],
  ['ecm:versionVersionableId', { ...nullable('series_id'), only: isOfVersion }],
  ['ecm:proxyTargetId', nullable('target_id')],
  ['ecm:proxyVersionableId', { ...nullable('series_id'), only: isProxy }],
  ['ecm:lockOwner', { column: shownOf('lock_owner'), isNullable: true }],
  ['ecm:lockCreated', { column: shownOf('lock_created'), isNullable: true }],
])

/** Properties that are columns of every row, whatever its type. */
export const columnProperties: ReadonlyMap<string, SystemColumn> = new Map([
  ['uid:major_version', given('major_version')],
  ['uid:minor_version', given('minor_version')],
])
