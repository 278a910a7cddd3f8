import { hasPermission } from '../../core/permissions.ts'
import type { Reference } from '../../core/session.ts'
import type { RenderContext } from './rendering.ts'

/** What a property refers to, as the entity that clients know it by. Undefined when the caller may not see it. */
export async function writeReference(context: RenderContext, reference: Reference): Promise<object | undefined> {
  const isHidden = reference.kind === 'document' && !(await hasPermission(context.session, reference.document, 'Read'))
  if (isHidden) return undefined
  return context.rendering.entityWriters.get(reference.kind)?.write(context, subjectOf(reference))
}

function subjectOf(reference: Reference): unknown {
  switch (reference.kind) {
    case 'document':
      return reference.document
    case 'directoryEntry':
      return reference
    default:
      return reference.id
  }
}
