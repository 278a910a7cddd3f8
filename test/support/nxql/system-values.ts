import type { Document } from '../../../src/model/document.ts'
import { isBlobValue, type PropertyValue } from '../../../src/model/properties/property.ts'
import type { SystemName } from '../../../src/nxql/system-properties.ts'

/** What the system says of a document; `versioned` is the version it is, or the version that a proxy points to. */
export function systemValue(name: SystemName, { document, target }: { document: Document; target?: Document }): PropertyValue {
  const seen = target ?? document
  const versioned = seen.isVersion ? seen : undefined
  switch (name) {
    case 'ecm:uuid':
      return document.id
    case 'ecm:name':
      return document.name
    case 'ecm:path':
      return document.path
    case 'ecm:parentId':
      return document.parentId
    case 'ecm:pos':
      return document.position
    case 'ecm:primaryType':
      return document.type
    case 'ecm:currentLifeCycleState':
      return seen.state
    case 'ecm:isTrashed':
      return document.isTrashed
    case 'ecm:isProxy':
      return document.isProxy
    case 'ecm:isVersion':
      return document.isVersion
    case 'ecm:isCheckedIn':
      return document.isCheckedIn && !document.isVersion && !document.isProxy
    case 'ecm:isLatestVersion':
      return seen.isLatestVersion
    case 'ecm:isLatestMajorVersion':
      return seen.isLatestMajorVersion
    case 'ecm:isRecord':
      return seen.isRecord
    case 'ecm:hasLegalHold':
      return seen.hasLegalHold
    case 'ecm:retainUntil':
      return seen.retainUntil
    case 'ecm:versionLabel':
      return versioned === undefined ? null : `${versioned.majorVersion}.${versioned.minorVersion}`
    case 'ecm:versionDescription':
      return versioned?.versionComment ?? null
    case 'ecm:versionCreated':
      return versioned?.versionCreated ?? null
    case 'ecm:versionVersionableId':
      return versioned?.seriesId ?? null
    case 'ecm:proxyTargetId':
      return document.targetId
    case 'ecm:proxyVersionableId':
      return document.isProxy ? document.seriesId : null
    case 'ecm:lockOwner':
      return seen.lock?.owner ?? null
    case 'ecm:lockCreated':
      return seen.lock?.created ?? null
    case 'ecm:blobKeys':
      return blobDigestsIn(Object.values(document.properties))
    default:
      return null
  }
}

function blobDigestsIn(value: PropertyValue): readonly string[] {
  if (isBlobValue(value)) return [value.digest]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(blobDigestsIn) : []
}
