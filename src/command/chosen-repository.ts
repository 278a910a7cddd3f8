import { defineProblem } from '../base/problem.ts'
import type { Repository } from '../core/session.ts'
import type { Services } from '../rest/services.ts'

export const noSuchRepository = defineProblem(
  'noSuchRepository',
  'notFound',
  (of: { name: string }) => `there is no repository ${of.name}; --repositories names those that are served`,
)

/** The one that `--repository` names. @throws noSuchRepository */
export function readRepository({ repositories }: Pick<Services, 'repositories'>, name: string): Repository {
  const repository = repositories.get(name)
  if (repository === undefined) throw noSuchRepository({ name })
  return repository
}
