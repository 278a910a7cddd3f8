import { defineProblem } from '../base/problem.ts'
import { type Principal, systemPrincipal } from '../model/rights/principal.ts'
import type { Services } from '../rest/services.ts'

export const noSuchUser = defineProblem(
  'noSuchUser',
  'notFound',
  (of: { name: string }) => `there is no user ${of.name}; quire user list shows those there are`,
)

/** In whose name a command works: the user that `--as` names, else the server itself. @throws noSuchUser */
export async function readActingPrincipal({ principals }: Services, name: string | undefined): Promise<Principal> {
  if (name === undefined) return systemPrincipal()
  const principal = await principals.find(name)
  if (principal === undefined) throw noSuchUser({ name })
  return principal
}
