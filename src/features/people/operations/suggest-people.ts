import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, optional, type ParametersOf } from '../../../automation/parameter.ts'
import { jsonBlob } from '../../../automation/values/flowing-blob.ts'
import { directoriesSeenBy } from '../../../core/directories/directories-seen-by.ts'
import { groupDirectory, userDirectory } from '../../../core/directories/people.ts'
import { withGroupsBelow } from '../../../core/principals/group-members.ts'
import { powerUsersGroup } from '../../../core/principals/power-users.ts'
import type { Session } from '../../../core/session.ts'
import type { DirectoryEntry, Matching } from '../../../store/directories.ts'
import { searchGroups } from '../groups/search-groups.ts'
import type { PeopleServices } from '../people-services.ts'
import { type MatchedUsers, matchUsers, patternFor } from '../users/match-users.ts'
import { readUserDirectory } from '../users/user-directory.ts'
import { suggestedGroup, suggestedUser } from './suggestion-entry.ts'

const suggestionParameters = {
  searchTerm: optional('string', { aliases: ['prefix'], description: 'The beginning of names; nothing for all' }),
  searchType: optional('string', { values: ['USER_TYPE', 'GROUP_TYPE'], description: 'Only users or only groups' }),
  groupRestriction: optional('string', { description: 'Only users that this group lists' }),
  allowSubGroupsRestriction: defaulted('boolean', false, { description: 'And those that groups in it list' }),
  hideAdminGroups: defaulted('boolean', false),
  hidePowerUsersGroup: defaulted('boolean', false),
  userSuggestionMaxSearchResults: optional('integer', { description: 'When more are found, none is shown' }),
  firstLabelField: optional('string', { description: 'A field of the user, instead of the first name' }),
  secondLabelField: optional('string', { description: 'A field of the user, instead of the last name' }),
  thirdLabelField: optional('string', { description: 'A field of the user, instead of the e-mail address' }),
  hideFirstLabel: defaulted('boolean', false),
  hideSecondLabel: defaulted('boolean', false),
  hideThirdLabel: defaulted('boolean', false),
  displayEmailInSuggestion: defaulted('boolean', false),
  hideIcon: defaulted('boolean', false),
  lang: optional('string', { description: 'The language of messages' }),
} as const

type SuggestionParameters = ParametersOf<typeof suggestionParameters>

export const suggestPeople = defineOperation({
  id: 'UserGroup.Suggestion',
  category: 'Services',
  description: 'Suggests users, then groups, by the beginnings of their names.',
  effect: 'reads',
  params: suggestionParameters,
  run: ({ on }) => [
    on('void', 'blob', (_, { params, context }) =>
      context.directories.read(async (session) => jsonBlob(await suggest(session, context, params))),
    ),
  ],
})

/** Users and groups, or that there are too many. */
async function suggest(
  session: Session,
  { services }: OperationContext,
  params: SuggestionParameters,
): Promise<readonly object[]> {
  const { searchType } = params
  const isForUsersOnly = searchType === 'USER_TYPE' || Boolean(params.groupRestriction?.trim())
  const users = searchType === 'GROUP_TYPE' && !isForUsersOnly ? none : await findUsers(session, services, params)
  const groups = isForUsersOnly ? [] : await findGroups(session, services, params)
  const { userSuggestionMaxSearchResults: limit = 0 } = params
  if (users.kind === 'tooMany' || (limit > 0 && users.entries.length + groups.length > limit)) {
    return [{ displayLabel: overflowMessage(params.lang) }]
  }
  const shownUsers = await Promise.all(users.entries.map((user) => withGroups(session, services, user)))
  const shownGroups = groups.map((group) => withAllFields(session, groupDirectory, group))
  return [...shownUsers.map((user) => suggestedUser(user, params)), ...shownGroups.map((group) => suggestedGroup(group, params))]
}

const none: MatchedUsers = { kind: 'found', entries: [] }

/** The term as a first and a second word; where no user has both, as it is. */
async function findUsers(session: Session, services: PeopleServices, params: SuggestionParameters): Promise<MatchedUsers> {
  const groups = await listRestriction(session, params)
  const { searchFields } = readUserDirectory(session)
  const find = (terms: readonly string[]) => {
    const matching = terms.map((term): Matching => patternFor(session, services, searchFields, term))
    return matchUsers(session, services, { matching, ...(groups !== undefined && { groups }) })
  }
  const term = termOf(params)
  const words = term === undefined ? [] : splitTerm(term)
  const found = await find(words)
  const isNobody = found.kind === 'found' && found.entries.length === 0
  return isNobody && term !== undefined && words.length > 1 ? find([term]) : found
}

/** Undefined for all. */
function termOf({ searchTerm }: SuggestionParameters): string | undefined {
  const term = searchTerm?.trim()
  return term === '' || term === '*' ? undefined : term
}

function splitTerm(term: string): readonly string[] {
  const [, first = term, second = ''] = /^(\S+)\s+(.*)$/s.exec(term) ?? []
  return second === '' ? [first] : [first, second]
}

async function listRestriction(session: Session, params: SuggestionParameters): Promise<readonly string[] | undefined> {
  const group = params.groupRestriction?.trim()
  if (!group) return undefined
  return params.allowSubGroupsRestriction ? withGroupsBelow(directoriesSeenBy(session), [group]) : [group]
}

async function findGroups(
  session: Session,
  services: PeopleServices,
  params: SuggestionParameters,
): Promise<readonly DirectoryEntry[]> {
  const { entries } = await searchGroups(session, services, {
    term: termOf(params) ?? '*',
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  const hidden = new Set([
    ...(params.hideAdminGroups ? services.principalRules.administratorsGroups : []),
    ...(params.hidePowerUsersGroup ? [powerUsersGroup] : []),
  ])
  return entries.filter(({ id }) => !hidden.has(id))
}

async function withGroups(session: Session, { principals }: PeopleServices, user: DirectoryEntry): Promise<DirectoryEntry> {
  const groups = (await principals.findUser(user.id))?.ownGroups ?? []
  return withAllFields(session, userDirectory, { ...user, values: { ...user.values, groups } })
}

/** Every field of the schema but the password. Whom a group lists is left out: there may be many. */
function withAllFields({ repository }: Session, directory: string, { id, values }: DirectoryEntry): DirectoryEntry {
  const { definitions, model } = repository.directories
  const { schema = '', passwordField } = definitions.get(directory) ?? {}
  const fields = (model.schemas.get(schema)?.fields ?? []).filter(({ name }) => name !== passwordField)
  return { id, values: Object.fromEntries(fields.map(({ name, defaultValue }) => [name, values[name] ?? defaultValue])) }
}

function overflowMessage(language = 'en'): string {
  return language.toLowerCase().startsWith('fr')
    ? 'Trop de résultats : précisez votre recherche.'
    : 'Too many results: please type more of the name.'
}
