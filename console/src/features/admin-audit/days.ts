const dayMillis = 86_400_000

/** Every day of a span, also those of which nothing is known: a chart without them would lie about time. */
export function daysBetween(
  from: string,
  to: string,
  counted: readonly { readonly day: string; readonly count: number }[],
): readonly { readonly day: string; readonly count: number }[] {
  const counts = new Map(counted.map(({ day, count }) => [day, count]))
  const first = Math.floor(Date.parse(from) / dayMillis)
  const last = Math.floor(Date.parse(to) / dayMillis)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const day = new Date((first + index) * dayMillis).toISOString().slice(0, 10)
    return { day, count: counts.get(day) ?? 0 }
  })
}
