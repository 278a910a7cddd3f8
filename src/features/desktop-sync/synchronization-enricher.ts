import { findReadable } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import { type Document, titleOf } from '../../model/document.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'
import { isRootable } from './file-system-item.ts'
import { rootKind } from './item-places.ts'
import { listOwnRoots, type RootRow } from './root-rows.ts'

/** Of what the caller's desktop clients could have: with which of their folders they have it already. Absent for anything else. */
export const synchronizationEnricher = defineEnricher({
  name: 'synchronization',
  entityType: 'document',
  needsRead: true,
  adds: {
    synchronization: Type.Object({
      root: Type.Nullable(
        Type.Object({
          id: Type.String({ description: 'The document itself, or a folder above it' }),
          title: Type.Nullable(Type.String({ description: 'Null where the caller may not read it any more' })),
        }),
      ),
    }),
  },
  async enrich({ document, isStored, context: { session } }) {
    if (!isStored || session.principal.isAnonymous || !isRootable(session, document)) return {}
    const root = findRootOf(session, document, await listOwnRoots(session))
    if (root === undefined) return { synchronization: { root: null } }
    const shown = root.id === document.id ? document : await findReadable(session, root.id)
    return { synchronization: { root: { id: root.id, title: shown === undefined ? null : titleOf(shown) } } }
  },
})

/** A collection is in no folder of a client, wherever it lies. */
function findRootOf(session: Session, document: Document, roots: readonly RootRow[]): RootRow | undefined {
  const own = roots.find(({ id }) => id === document.id)
  if (own !== undefined || rootKind(session, document) === 'collection') return own
  const place = `${document.path ?? ''}/`
  return roots.find(({ path }) => place.startsWith(path === '/' ? path : `${path}/`))
}
