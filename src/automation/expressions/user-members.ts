import type { PropertyValue } from '../../model/properties/property.ts'
import { actingName, type Principal } from '../../model/rights/principal.ts'
import type { OperationContext } from '../context.ts'
import { nothing, type Value } from '../values/value.ts'
import { type HostObject, list, text, textOf } from './operand.ts'

/** A user as expressions see them: names, groups, and what the directory of users says. */
export function createUser(context: OperationContext, principal: Principal): HostObject {
  const properties = async () => (await context.services.principals.findUser(actingName(principal)))?.properties ?? {}
  const property = async (name: string): Promise<Value> => valueOfField((await properties())[name])
  const user: HostObject = {
    kind: 'host',
    name: 'a user',
    value: text(principal.name),
    member(name) {
      switch (name) {
        case 'name':
          return text(principal.name)
        case 'actingUser':
          return text(actingName(principal))
        case 'originatingUser':
          return principal.onBehalfOf === undefined ? nothing : text(principal.onBehalfOf)
        case 'groups':
        case 'allGroups':
          return list(principal.groups.map(text))
        case 'administrator':
          return { kind: 'boolean', isTrue: principal.isAdministrator }
        case 'principal':
          return user
        case 'company':
        case 'firstName':
        case 'lastName':
        case 'email':
          return property(name)
        default:
          return undefined
      }
    },
    // `CurrentUser["user:email"]` and `CurrentUser["email"]` are the same.
    item: (key) => property(textOf(key).replace(/^\w+:/, '')),
    call: () => undefined,
  }
  return user
}

function valueOfField(value: PropertyValue | undefined): Value {
  if (Array.isArray(value)) return list(value.map(valueOfField))
  return typeof value === 'string' ? text(value) : nothing
}
