import type { Exchange } from '../../rest/request/exchange.ts'
import { invalid, permissionMissing, refuse, resourceNotFound } from './compute-problems.ts'

/** Where an endpoint is: a region of a project. */
export interface Scope {
  readonly project: string
  readonly region: string
}

/** The variable parts of a path. */
export type PathParameters = { readonly [name: string]: string }

/** As messages name it. */
export function scopeName({ project, region }: Scope): string {
  return `projects/${project}/regions/${region}`
}

export function endpointName(scope: Scope, endpoint: string): string {
  return `${scopeName(scope)}/notificationEndpoints/${endpoint}`
}

/** @throws permissionMissing */
export function requireAdministrator({ principal }: Exchange, verb: string, { project = '', region = '' }: PathParameters): void {
  if (principal.isAdministrator) return
  const resource = scopeName({ project: project.slice(0, 63), region: region.slice(0, 63) })
  throw permissionMissing({ permission: `compute.regionNotificationEndpoints.${verb}`, resource })
}

/** @throws faultyRequest for what can be no project, resourceNotFound for a region that there is not */
export function requireScope({ project, region = '' }: PathParameters, regions: readonly string[]): Scope {
  const scope = { project: requireProject(project), region }
  if (!regions.includes(region)) throw resourceNotFound({ resource: scopeName({ ...scope, region: region.slice(0, 63) }) })
  return scope
}

/** @throws faultyRequest */
export function requireProject(project = ''): string {
  if (/^(?:[a-z][-a-z0-9:.]{4,61}[a-z0-9]|\d{1,20})$/.test(project)) return project
  const shown = project.slice(0, 63)
  return refuse(
    invalid(
      `Invalid value for field 'project': '${shown}'. Must be 6 to 63 lower-case letters, digits, hyphens, colons and dots, ` +
        'begin with a letter and end with a letter or digit; or be all digits.',
    ),
  )
}

/** Nothing that the pattern does not fit can be there. @throws resourceNotFound */
export function requireName(name = '', resource: (shown: string) => string): string {
  if (/^[-a-z0-9]{1,63}$/.test(name)) return name
  throw resourceNotFound({ resource: resource(name.slice(0, 63)) })
}
