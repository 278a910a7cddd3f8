import type { Screen } from './console-screens.ts'

/** Every screen of the administration, with something of it that is looked at. */
export const administrationScreens: readonly Screen[] = [
  { name: 'admin-users', address: 'admin/users' },
  { name: 'admin-user', address: 'admin/users/alice' },
  { name: 'admin-groups', address: 'admin/groups' },
  { name: 'admin-group', address: 'admin/groups/members' },
  { name: 'admin-invitations', address: 'admin/invitations' },
  { name: 'admin-vocabularies', address: 'admin/vocabularies' },
  { name: 'admin-vocabulary', address: 'admin/vocabularies/l10nsubjects?show=art' },
  { name: 'admin-types', address: 'admin/types' },
  { name: 'admin-type', address: 'admin/types/Note' },
  { name: 'admin-schema', address: 'admin/types/dublincore?kind=schemas' },
  { name: 'admin-lifecycle', address: 'admin/types/default?kind=lifecycles' },
  { name: 'admin-permissions', address: 'admin/permissions?q=/default-domain/workspaces/team' },
  { name: 'admin-permissions-named', address: 'admin/permissions?q=/default-domain/workspaces/team&show=named' },
  { name: 'admin-permissions-person', address: 'admin/permissions?kind=person&user=alice' },
  { name: 'admin-jobs', address: 'admin/jobs' },
  { name: 'admin-workflows', address: 'admin/workflows' },
  { name: 'admin-workflows-stuck', address: 'admin/workflows?show=stuck' },
  { name: 'admin-workflow-models', address: 'admin/workflows?show=models' },
  { name: 'admin-audit', address: 'admin/audit' },
  { name: 'admin-settings', address: 'admin/settings' },
  { name: 'admin-oauth2-clients', address: 'admin/oauth2-clients' },
  { name: 'admin-oauth2-client', address: 'admin/oauth2-clients/platform-drive' },
  { name: 'admin-oauth2-providers', address: 'admin/oauth2-providers' },
  { name: 'admin-sessions', address: 'admin/tokens' },
  { name: 'admin-tokens', address: 'admin/tokens?kind=tokens&user=alice' },
  { name: 'admin-grants', address: 'admin/tokens?kind=grants' },
  { name: 'admin-webhooks', address: 'admin/webhooks' },
  { name: 'admin-notification-endpoints', address: 'admin/notification-endpoints' },
]

interface AdministrationCall {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT'
  readonly path: string
}

/** Every call of the API that only administrators may make and that the screens make. */
export const administrationCalls: readonly AdministrationCall[] = [
  { method: 'GET', path: '/user/search?q=*&unlimited=true' },
  { method: 'GET', path: '/management/memberships?user=alice' },
  { method: 'POST', path: '/management/invitations/nosuch/accept' },
  { method: 'POST', path: '/management/invitations/nosuch/reject' },
  { method: 'POST', path: '/management/invitations/nosuch/resend' },
  { method: 'GET', path: '/management/directories' },
  { method: 'PUT', path: '/management/directories/nature/order' },
  { method: 'GET', path: '/management/directories/nature/csv' },
  { method: 'POST', path: '/management/directories/nature/csv' },
  { method: 'GET', path: '/management/permissions/named?document=/default-domain' },
  { method: 'GET', path: '/management/permissions/people?document=/default-domain' },
  { method: 'GET', path: '/management/permissions/places?name=alice' },
  { method: 'POST', path: '/directory/nature' },
  { method: 'PUT', path: '/directory/nature/article' },
  { method: 'DELETE', path: '/directory/nature/article' },
  { method: 'GET', path: '/management/jobs' },
  { method: 'POST', path: '/management/jobs/default/1/retry' },
  { method: 'DELETE', path: '/management/jobs/default/1' },
  { method: 'GET', path: '/management/bulk' },
  { method: 'GET', path: '/management/workflows' },
  { method: 'GET', path: '/management/workflows/stuck' },
  { method: 'GET', path: '/management/configuration' },
  { method: 'GET', path: '/management/audit/counts' },
  { method: 'GET', path: '/management/audit/export' },
  { method: 'GET', path: '/search/pp/AUDIT_BROWSER/execute' },
  { method: 'POST', path: '/user' },
  { method: 'PUT', path: '/user/bob' },
  { method: 'DELETE', path: '/user/bob' },
  { method: 'POST', path: '/group' },
  { method: 'PUT', path: '/group/members' },
  { method: 'DELETE', path: '/group/members' },
  { method: 'POST', path: '/group/members/user/alice' },
  { method: 'POST', path: '/automation/User.Invite' },
  { method: 'GET', path: '/oauth2/client' },
  { method: 'POST', path: '/oauth2/client' },
  { method: 'GET', path: '/oauth2/client/nosuch' },
  { method: 'PUT', path: '/oauth2/client/nosuch' },
  { method: 'DELETE', path: '/oauth2/client/nosuch' },
  { method: 'GET', path: '/management/sessions' },
  { method: 'DELETE', path: '/management/sessions/nosuch' },
  { method: 'GET', path: '/management/tokens' },
  { method: 'DELETE', path: '/management/tokens/nosuch' },
  { method: 'GET', path: '/management/oauth2/grants' },
  { method: 'DELETE', path: '/management/oauth2/grants/1' },
  { method: 'GET', path: '/webhooks' },
  { method: 'POST', path: '/webhooks' },
  { method: 'GET', path: '/webhooks/nosuch' },
  { method: 'PUT', path: '/webhooks/nosuch' },
  { method: 'DELETE', path: '/webhooks/nosuch' },
  { method: 'POST', path: '/webhooks/nosuch/secret' },
  { method: 'POST', path: '/webhooks/nosuch/test' },
  { method: 'POST', path: '/webhooks/nosuch/redeliver' },
  { method: 'GET', path: '/management/notification-endpoints' },
  { method: 'GET', path: '/management/notification-endpoints/1' },
  { method: 'POST', path: '/management/notification-endpoints/1/test' },
  { method: 'POST', path: '/management/notification-endpoints/1/redeliver' },
  { method: 'POST', path: '/oauth2/provider' },
  { method: 'PUT', path: '/oauth2/provider/nosuch' },
  { method: 'DELETE', path: '/oauth2/provider/nosuch' },
]

/** What is sent with a call that takes something. */
export function bodyOf({ method, path }: AdministrationCall): { readonly body?: string } {
  if (method === 'GET' || method === 'DELETE') return {}
  const user = { 'entity-type': 'user', properties: { username: 'eve', email: 'eve@example.org' } }
  if (path.startsWith('/automation')) return { body: JSON.stringify({ input: user, params: {}, context: {} }) }
  const id = path.split('/')[2] ?? 'eve'
  return { body: JSON.stringify(path.startsWith('/group') ? { 'entity-type': 'group', id } : { 'entity-type': 'user', id }) }
}
