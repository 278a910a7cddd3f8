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

/** Where a row has what the system says of a document. A proxy's row repeats what it shows of its target. */
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
  ['ecm:isRecord', given('is_record')],
  ['ecm:hasLegalHold', given('has_legal_hold')],
  ['ecm:retainUntil', nullable('retain_until')],
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
  ['ecm:lockOwner', nullable('lock_owner')],
  ['ecm:lockCreated', nullable('lock_created')],
])

/** Properties that are columns of every row, whatever its type. */
export const columnProperties: ReadonlyMap<string, SystemColumn> = new Map([
  ['uid:major_version', given('major_version')],
  ['uid:minor_version', given('minor_version')],
])
