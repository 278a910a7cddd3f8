import { defineProblem } from '../../../base/problem.ts'
import { groupDirectory, groupMembers, subGroups, userDirectory } from '../../../core/directories/people.ts'
import type { PrincipalRules } from '../../../core/principals/principal-rules.ts'
import type { ArchivedEntry } from '../format/entry-line.ts'

export const administratorMissing = defineProblem(
  'administratorMissing',
  'conflict',
  (_: object) =>
    'None of the users in the archive would be an administrator of this server, so that nobody could look after it. Nothing was imported. ' +
    '--without-people imports the documents alone; --default-administrators and --administrators-groups say who is one.',
)

/** Users that are always administrators, and groups whose members are. */
export type Administrators = Pick<PrincipalRules, 'defaultAdministrators' | 'administratorsGroups'>

/** Sees to it that the people of an archive, who take the place of those that are here, leave somebody who may do everything. */
export class RequiredAdministrator {
  readonly #administrators: Administrators
  readonly #users = new Set<string>()
  readonly #groups = new Map<string, ArchivedEntry['references']>()

  constructor(administrators: Administrators) {
    this.#administrators = administrators
  }

  take({ directory, id, references }: ArchivedEntry): void {
    if (directory === userDirectory) this.#users.add(id)
    else if (directory === groupDirectory) this.#groups.set(id, references)
  }

  /** @throws administratorMissing */
  end(): void {
    const { defaultAdministrators, administratorsGroups } = this.#administrators
    if (defaultAdministrators.some((name) => this.#users.has(name))) return
    const groups = new Set(administratorsGroups)
    // Those that are added meanwhile are visited as well.
    for (const group of groups) {
      const { [groupMembers]: members = [], [subGroups]: inside = [] } = this.#groups.get(group) ?? {}
      if (members.some((name) => this.#users.has(name))) return
      for (const one of inside) groups.add(one)
    }
    throw administratorMissing({})
  }
}
