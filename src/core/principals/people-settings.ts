import { isRegularExpression } from '../../base/regular-expression.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { defineSettings } from '../../settings/define-settings.ts'
import type { AccountRules, PrincipalRules } from './principal-rules.ts'

/**
 * Who is who, and what accounts may be. Each is also known by the property name that clients' documentation uses
 * (contract: people 9, security 13), written here in its neutral form.
 */
export const peopleSettings = defineSettings({
  administratorsGroups: {
    type: 'list',
    default: [],
    always: ['administrators'],
    help: 'More groups whose members may do everything',
  },
  defaultAdministrators: {
    type: 'list',
    default: ['Administrator'],
    help: 'Users that may do everything, whatever their groups',
  },
  defaultGroup: {
    type: 'string',
    help: 'A group that every user with an account belongs to without being listed in it',
  },
  userAnonymousEnable: {
    type: 'boolean',
    default: false,
    property: 'platform.user.anonymous.enable',
    help: 'Know an anonymous user, who can be given rights but cannot sign in',
  },
  anonymousUser: {
    type: 'string',
    default: 'Guest',
    help: 'The name of the anonymous user',
  },
  userPasswordPattern: {
    type: 'string',
    pattern: { matches: { test: isRegularExpression }, expected: 'a regular expression' },
    help: 'A regular expression that new passwords must hold a match of',
  },
  usermanagerCheckPassword: {
    type: 'boolean',
    default: true,
    property: 'platform.usermanager.check.password',
    help: 'Hold new passwords against the pattern',
  },
  usermanagerSearchEscapeCompat: {
    type: 'boolean',
    default: true,
    property: 'platform.usermanager.search.escape.compat',
    help: 'Let % and _ stand for other characters when users and groups are searched',
  },
  usermanagerResolverFetchReferences: {
    type: 'boolean',
    default: true,
    property: 'platform.usermanager.resolver.fetchReferences',
    help: 'Show the groups of users that properties of documents refer to',
  },
  userSearchLimit: {
    type: 'integer',
    default: 50,
    min: 0,
    help: 'Most users that one search may find before it asks for a narrower term; 0 is no limit',
  },
  userInvitationTtl: {
    type: 'duration',
    default: '7d',
    help: 'How long somebody who was invited may take to choose a password',
  },
  removedPeopleRights: {
    type: 'choice',
    default: 'remove',
    choices: ['remove', 'keep'],
    help: 'What becomes of the rights of a user or group that is removed; kept, they are those of the next one of that name',
  },
})

type PeopleValues = SettingValues<typeof peopleSettings>

export function principalRulesOf(
  settings: PeopleValues,
  { virtualUsers, groupComputers }: Pick<PrincipalRules, 'virtualUsers' | 'groupComputers'>,
): PrincipalRules {
  const { administratorsGroups, defaultAdministrators, defaultGroup, anonymousUser: name } = settings
  return {
    administratorsGroups,
    defaultAdministrators,
    virtualUsers,
    groupComputers,
    ...(defaultGroup !== undefined && { defaultGroup }),
    ...(settings.userAnonymousEnable && { anonymousUser: { name, properties: { firstName: name, lastName: 'User' } } }),
  }
}

export function accountRulesOf({ userPasswordPattern, ...settings }: PeopleValues): AccountRules {
  const isChecked = settings.usermanagerCheckPassword && userPasswordPattern !== undefined
  return {
    ...(isChecked && { passwordPattern: new RegExp(userPasswordPattern) }),
    searchesWithWildcards: settings.usermanagerSearchEscapeCompat,
    userSearchLimit: settings.userSearchLimit,
    invitationMillis: settings.userInvitationTtl,
    removesRights: settings.removedPeopleRights === 'remove',
    showsGroupsOfReferences: settings.usermanagerResolverFetchReferences,
  }
}
