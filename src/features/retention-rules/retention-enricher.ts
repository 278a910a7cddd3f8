import { findTarget } from '../../core/documents/proxies/proxy.ts'
import { findReadable } from '../../core/documents/read-document.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import { type Document, isUnderRetentionOrHold } from '../../model/document.ts'
import { textsOf } from '../../model/properties/property-texts.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'
import { findAttached, isUnderRule } from './record-copy.ts'
import { isRecordManager } from './rule-managers.ts'
import { recordProperties, ruleFacet } from './rule-model.ts'

/** Which rule keeps a document, and what the caller could do about that: what a user interface offers, and the operations still decide. */
export const retentionEnricher = defineEnricher({
  name: 'retention',
  entityType: 'document',
  needsRead: true,
  adds: {
    retention: Type.Object({
      rule: Type.Nullable(
        Type.Object({
          id: Type.String(),
          title: Type.Nullable(Type.String({ description: 'Null where the rule is gone, or is none that the caller may read' })),
        }),
      ),
      mayAttach: Type.Boolean({ description: 'Whether the caller could attach a rule now' }),
      mayDetach: Type.Boolean({ description: 'Whether the caller could take the rule back now' }),
    }),
  },
  async enrich({ document, isStored, context: { session } }) {
    const content = isStored ? await findTarget(session, document) : undefined
    if (content === undefined) return {}
    return {
      retention: {
        rule: isUnderRule(content) ? await findNamedRule(session, content) : null,
        mayAttach: isFree(session, content) && (await mayDo(session, document, content, ['MakeRecord', 'SetRetention'])),
        mayDetach: isFlexible(session, content) && (await mayDo(session, document, content, ['UnsetRetention'])),
      },
    }
  },
})

async function findNamedRule(session: Session, record: Document) {
  const [id] = textsOf(record, recordProperties.ruleIds)
  if (id === undefined) return null
  const rule = await findReadable(session, id)
  const title = rule?.properties['dc:title']
  return { id, title: typeof title === 'string' ? title : null }
}

function isFree({ model, now }: Session, content: Document): boolean {
  return !content.isVersion && !isUnderRetentionOrHold(content, now) && !model.shapeOf(content).hasFacet(ruleFacet)
}

function isFlexible({ repository }: Session, content: Document): boolean {
  return findAttached(content)?.isFlexible === true && !content.hasLegalHold && !repository.rules.strictRetention
}

/** Of a proxy, at both places. */
async function mayDo(session: Session, place: Document, content: Document, permissions: readonly string[]): Promise<boolean> {
  if (isRecordManager(session.principal)) return true
  for (const permission of permissions) {
    if (!(await hasPermission(session, { ...place, lock: content.lock }, permission))) return false
    if (place.isProxy && !(await hasPermission(session, content, permission))) return false
  }
  return true
}
