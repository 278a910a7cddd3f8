import type { IsoDate } from '../../base/iso-date.ts'
import { regionLinkOf } from './endpoint.ts'
import type { JsonFields } from './spelling.ts'

/** The record of an insertion or a deletion (contract: notification-endpoint 6). The work is done when it is written. */
export interface ComputeOperation {
  readonly id: string
  readonly name: string
  readonly project: string
  readonly region: string
  readonly type: 'insert' | 'delete'
  readonly targetName: string
  readonly targetId: string
  readonly user: string
  readonly inserted: IsoDate
  /** From when on it says that it is done. */
  readonly ended: IsoDate
}

/** An operation as it is answered, in camel case. */
export function writeOperation(operation: ComputeOperation, base: string, now: IsoDate): JsonFields {
  const { id, name, project, region, type, targetName, targetId, user, inserted, ended } = operation
  const regionLink = regionLinkOf(base, project, region)
  const isDone = now >= ended
  return {
    kind: 'compute#operation',
    id,
    name,
    operationType: type,
    targetLink: `${regionLink}/notificationEndpoints/${targetName}`,
    targetId,
    status: isDone ? 'DONE' : 'RUNNING',
    user,
    progress: isDone ? 100 : progressOf(Date.parse(inserted), Date.parse(ended), Date.parse(now)),
    insertTime: inserted,
    startTime: inserted,
    ...(isDone && { endTime: ended }),
    region: regionLink,
    selfLink: `${regionLink}/operations/${name}`,
  }
}

function progressOf(start: number, end: number, now: number): number {
  return Math.max(0, Math.min(99, Math.floor(((now - start) / (end - start)) * 100)))
}
