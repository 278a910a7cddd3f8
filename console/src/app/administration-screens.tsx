import { useSuspenseQuery } from '@tanstack/react-query'
import {
  AppWindow,
  Archive,
  BookMarked,
  Cable,
  Cog,
  HardDrive,
  KeyRound,
  MailPlus,
  RadioTower,
  ScrollText,
  Shapes,
  ShieldCheck,
  SlidersHorizontal,
  Users,
  UsersRound,
  Webhook,
  Workflow,
  Wrench,
} from 'lucide-react'
import { meQuery } from '../api/documents.ts'
import { Administration as Area } from '../features/administration/administration.tsx'
import type { AdministrationScreen } from '../features/administration/screen.ts'

/** One line for each, in the order in which they stand; loaded with the first of them. */
const screens: readonly AdministrationScreen[] = [
  {
    id: 'users',
    group: 'people',
    icon: Users,
    name: { en: 'Users', fr: 'Utilisateurs' },
    load: () => import('../features/admin-users/users-screen.tsx'),
  },
  {
    id: 'groups',
    group: 'people',
    icon: UsersRound,
    name: { en: 'Groups', fr: 'Groupes' },
    load: () => import('../features/admin-groups/groups-screen.tsx'),
  },
  {
    id: 'invitations',
    group: 'people',
    icon: MailPlus,
    name: { en: 'Invitations', fr: 'Invitations' },
    load: () => import('../features/admin-invitations/invitations-screen.tsx'),
  },
  {
    id: 'vocabularies',
    group: 'content',
    icon: BookMarked,
    name: { en: 'Vocabularies', fr: 'Vocabulaires' },
    load: () => import('../features/admin-vocabularies/vocabularies-screen.tsx'),
  },
  {
    id: 'types',
    group: 'content',
    icon: Shapes,
    name: { en: 'Types', fr: 'Types' },
    load: () => import('../features/admin-types/types-screen.tsx'),
  },
  {
    id: 'permissions',
    group: 'content',
    icon: ShieldCheck,
    name: { en: 'Permissions', fr: 'Permissions' },
    load: () => import('../features/admin-permissions/permissions-screen.tsx'),
  },
  {
    id: 'retention',
    group: 'content',
    icon: Archive,
    name: { en: 'Retention rules', fr: 'Règles de conservation' },
    isForRecordManagers: true,
    load: () => import('../features/admin-retention/rules-screen.tsx'),
  },
  {
    id: 'jobs',
    group: 'work',
    icon: Cog,
    name: { en: 'Jobs', fr: 'Tâches de fond' },
    load: () => import('../features/admin-jobs/jobs-screen.tsx'),
  },
  {
    id: 'workflows',
    group: 'work',
    icon: Workflow,
    name: { en: 'Workflows', fr: 'Workflows' },
    load: () => import('../features/admin-workflows/workflows-screen.tsx'),
  },
  {
    id: 'oauth2-clients',
    group: 'access',
    icon: AppWindow,
    name: { en: 'OAuth2 clients', fr: 'Clients OAuth2' },
    load: () => import('../features/admin-oauth2/clients-screen.tsx'),
  },
  {
    id: 'oauth2-providers',
    group: 'access',
    icon: Cable,
    name: { en: 'OAuth2 providers', fr: 'Fournisseurs OAuth2' },
    load: () => import('../features/admin-oauth2/providers-screen.tsx'),
  },
  {
    id: 'tokens',
    group: 'access',
    icon: KeyRound,
    name: { en: 'Tokens and sessions', fr: 'Jetons et sessions' },
    load: () => import('../features/admin-tokens/tokens-screen.tsx'),
  },
  {
    id: 'webhooks',
    group: 'server',
    icon: Webhook,
    name: { en: 'Webhooks', fr: 'Webhooks' },
    load: () => import('../features/admin-endpoints/webhooks-screen.tsx'),
  },
  {
    id: 'notification-endpoints',
    group: 'server',
    icon: RadioTower,
    name: { en: 'Notification endpoints', fr: 'Points de notification' },
    load: () => import('../features/admin-endpoints/endpoints-screen.tsx'),
  },
  {
    id: 'audit',
    group: 'server',
    icon: ScrollText,
    name: { en: 'Audit', fr: 'Audit' },
    load: () => import('../features/admin-audit/audit-screen.tsx'),
  },
  {
    id: 'server',
    group: 'server',
    icon: HardDrive,
    name: { en: 'Server', fr: 'Serveur' },
    load: () => import('../features/admin-server/server-screen.tsx'),
  },
  {
    id: 'maintenance',
    group: 'server',
    icon: Wrench,
    name: { en: 'Maintenance', fr: 'Maintenance' },
    load: () => import('../features/admin-maintenance/maintenance-screen.tsx'),
  },
  {
    id: 'settings',
    group: 'server',
    icon: SlidersHorizontal,
    name: { en: 'Settings', fr: 'Paramètres' },
    load: () => import('../features/admin-settings/settings-screen.tsx'),
  },
]

/** Who manages records and not the server is shown the screens for that. */
export function Administration() {
  const { data: me } = useSuspenseQuery(meQuery)
  return <Area screens={me.isAdministrator ? screens : screens.filter((screen) => screen.isForRecordManagers)} />
}
