/** The same object with some members of its own: also of a class, which cannot be spread. */
export function overridden<Type extends object>(object: Type, own: Partial<Type>): Type {
  return new Proxy(object, {
    get(target, name) {
      if (name in own) return own[name as keyof Type]
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
