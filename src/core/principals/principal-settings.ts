import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { defineSettings } from '../../settings/define-settings.ts'
import { recordCleanersGroup, recordManagersGroup } from '../record-cleaning.ts'
import { emergencyAdministratorOf } from './emergency-administrator.ts'
import { routeManagersGroup } from './power-users.ts'
import type { PrincipalRules } from './principal-rules.ts'

/**
 * Who is who. Each is also known by the property name that clients' documentation uses
 * (contract: people 9, security 13), written here in its neutral form.
 */
export const principalSettings = defineSettings({
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
  userEmergencyEnable: {
    type: 'boolean',
    default: false,
    property: 'platform.user.emergency.enable',
    help: 'Let in an administrator of the settings alone, for the day on which no account lets anybody in',
  },
  userEmergencyUsername: {
    type: 'string',
    default: 'MyAdministrator',
    property: 'platform.user.emergency.username',
    help: 'The name of the emergency administrator, which no user or group has',
  },
  userEmergencyPassword: {
    type: 'secret',
    property: 'platform.user.emergency.password',
    help: 'The password of the emergency administrator; there is no default',
  },
  removedPeopleRights: {
    type: 'choice',
    default: 'remove',
    choices: ['remove', 'keep'],
    help: 'What becomes of the rights of a user or group that is removed; kept, they are those of the next one of that name',
  },
})

type PrincipalValues = SettingValues<typeof principalSettings>

/** @throws emergencyPasswordMissing, emergencyNameTaken */
export function principalRulesOf(
  settings: PrincipalValues,
  { virtualUsers, groupComputers, reservedUsers }: Pick<PrincipalRules, 'virtualUsers' | 'groupComputers' | 'reservedUsers'>,
  vendored: VendorIdentifiers,
): PrincipalRules {
  const { administratorsGroups, defaultAdministrators, defaultGroup, anonymousUser: name, removedPeopleRights } = settings
  const anonymous = settings.userAnonymousEnable
    ? { anonymousUser: { name, properties: { firstName: name, lastName: 'User' } } }
    : {}
  const others = { administratorsGroups, defaultAdministrators, virtualUsers, ...anonymous }
  const emergencyAdministrator = emergencyAdministratorOf(settings, others)
  return {
    administratorsGroups,
    reservedGroups: [routeManagersGroup, vendored(recordCleanersGroup), recordManagersGroup],
    reservedUsers,
    defaultAdministrators,
    removedPeopleRights,
    virtualUsers,
    groupComputers,
    ...(defaultGroup !== undefined && { defaultGroup }),
    ...anonymous,
    ...(emergencyAdministrator !== undefined && { emergencyAdministrator }),
  }
}
