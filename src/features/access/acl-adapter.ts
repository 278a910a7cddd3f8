import { requirePermission } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Adapter } from '../../rest/adapter.ts'
import { entity } from '../../rest/answer.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { aceSchema, listShownAcls, writeAce } from '../../rest/render/acl-json.ts'
import { requireDocument } from '../../rest/resource.ts'

const aclsSchema = Type.Object(
  {
    'entity-type': Type.Literal('acls'),
    acl: Type.Array(Type.Object({ name: Type.String({ description: '`local`, `inherited` …' }), ace: Type.Array(aceSchema) })),
  },
  { $id: 'Acls' },
)

/** The ACLs of a document. They are read here and changed by operations. */
export const aclAdapter: Adapter = {
  name: 'acl',
  summary: 'Who may do what on the document, and what of it is inherited',
  accepts: ['document'],
  methods: {
    GET: {
      summary: 'Reads the ACLs of the document',
      answers: { 200: aclsSchema },
      handle: ({ exchange, resolve }) =>
        exchange.read(async (session) => entity('acls', await writeAcls(session, requireDocument(await resolve(session))))),
    },
  },
}

async function writeAcls(session: Session, document: Document): Promise<Static<typeof aclsSchema>> {
  await requirePermission(session, document, 'ReadSecurity')
  const acls = await listShownAcls(session, document)
  return {
    'entity-type': 'acls',
    acl: acls.map(({ name, aces }) => ({ name, ace: aces.map((ace) => writeAce(ace, session.now)) })),
  }
}
