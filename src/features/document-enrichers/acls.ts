import { findAceNote } from '../../core/documents/rights/ace-note.ts'
import type { Document } from '../../model/document.ts'
import type { Resolver } from '../../model/field.ts'
import type { Ace } from '../../model/rights/acl.ts'
import { isTransient } from '../../model/rights/principal.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { aceSchema, listShownAcls, writeAce } from '../../rest/render/acl-json.ts'
import { writeReference } from '../../rest/render/reference-entity.ts'
import { defineEnricher, type RenderContext } from '../../rest/render/rendering.ts'

const principal = Type.Unknown({ description: 'The name, or with `fetch.acls` the user or group as an entity' })

const shownAceSchema = Type.Object(
  {
    ...aceSchema.properties,
    username: principal,
    creator: principal,
    externalUser: Type.Boolean(),
    notify: Type.Optional(Type.Boolean({ description: 'With `fetch.acls: extended`' })),
    comment: Type.Optional(Type.Nullable(Type.String(), { description: 'With `fetch.acls: extended`' })),
  },
  { $id: 'ShownAce' },
)

const aclSchema = Type.Object({
  name: Type.String(),
  aces: Type.Array(shownAceSchema),
  ace: Type.Optional(Type.Array(shownAceSchema, { description: 'The same for clients of old, where the server is set up so' })),
})

/** Who may do what on the document, and from where each right comes; for clients of old under a second key, too. */
export const aclsEnricher = ({ repeatsEntries }: { readonly repeatsEntries: boolean }) =>
  defineEnricher({
    name: 'acls',
    entityType: 'document',
    needsRead: true,
    adds: { acls: Type.Array(aclSchema) },
    async enrich({ document, isStored, context }) {
      if (!isStored) return { acls: [] }
      const acls = await listShownAcls(context.session, document)
      return {
        acls: await Promise.all(
          acls.map(async ({ name, aces }) => {
            const shown = await Promise.all(aces.map((ace) => showAce(context, document, name, ace)))
            return { name, aces: shown, ...(repeatsEntries && { ace: shown }) }
          }),
        ),
      }
    },
  })

async function showAce(
  context: RenderContext,
  document: Document,
  aclName: string,
  ace: Ace,
): Promise<Static<typeof shownAceSchema>> {
  const fetch = context.fetch('acls')
  const { id, username, permission, granted, creator, begin, end, status } = writeAce(ace, context.session.now)
  return {
    id,
    username: fetch.includes('username') ? await fetchPrincipal(context, username) : username,
    externalUser: isTransient(username),
    permission,
    granted,
    creator: fetch.includes('creator') && creator !== null ? await fetchPrincipal(context, creator) : creator,
    begin,
    end,
    status,
    ...(fetch.includes('extended') && (await findAceNote(context.session, document, aclName, id))),
  }
}

const userOrGroup: Resolver = { kind: 'user', type: 'any', validation: false }

/** The user or group as an entity; the bare name for one that does not exist. */
async function fetchPrincipal(context: RenderContext, name: string): Promise<unknown> {
  const { session } = context
  const reference = await session.repository.references.find(session, userOrGroup, name)
  return (reference && (await writeReference(context.nested(), reference))) ?? name
}
