import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation, type Operation } from '../../../automation/operation.ts'
import { optional } from '../../../automation/parameter.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { Session } from '../../../core/session.ts'
import { type Principal, systemPrincipal } from '../../../model/rights/principal.ts'

export const nobodyToActAs = defineProblem(
  'nobodyToActAs',
  'notFound',
  (of: { name: string }) => `There is no user ${of.name} for whom the chain could go on.`,
)

const category = 'Users & Groups'

const loginAs = defineOperation({
  id: 'Auth.LoginAs',
  category,
  description: 'The steps that follow act for somebody else, until Auth.Logout.',
  effect: 'reads',
  access: { administrators: true },
  params: { name: optional('string', { description: 'Of the user; the server itself when absent' }) },
  run: ({ on }) => [
    on('document', 'document', async (document, { params: { name }, session, context }) => {
      context.actAs(await readActor(session, context, name))
      return document
    }),
    on('void', 'void', async (_, { params: { name }, session, context }) => {
      context.actAs(await readActor(session, context, name))
    }),
  ],
})

async function readActor(session: Session, { services }: OperationContext, name: string | undefined): Promise<Principal> {
  if (name === undefined) return systemPrincipal(session.principal)
  const principal = await services.principals.find(name)
  if (principal === undefined) throw nobodyToActAs({ name })
  return principal
}

const logout = defineOperation({
  id: 'Auth.Logout',
  category,
  description: 'The steps that follow act for whom they acted before Auth.LoginAs.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [
    on('document', 'document', (document, { context }) => {
      context.actAsBefore()
      return document
    }),
    on('void', 'void', (_, { context }) => context.actAsBefore()),
  ],
})

export const loginOperations: readonly Operation[] = [loginAs, logout]
