import type { Task } from '../../api/workflow.ts'

/** Somebody whom a task is for. Entities of groups have a name where those of users have an id. */
export function referenceOf(one: Task['actors'][number]): string | undefined {
  const { id, 'entity-type': kind, groupname } = one
  const name = id ?? (typeof groupname === 'string' ? groupname : undefined)
  return name === undefined ? undefined : kind === 'group' ? `group:${name}` : name
}

/** Who started a workflow, told by name or as an entity. */
export function nameOf(initiator: Task['workflowInitiator']): string | undefined {
  if (initiator === null || initiator === undefined) return undefined
  if (typeof initiator === 'string') return initiator
  return typeof initiator['id'] === 'string' ? initiator['id'] : undefined
}
