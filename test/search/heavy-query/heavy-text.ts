/**
 * A query without any end to speak of: of each document seven items of its subjects are chosen, in every way there is, because
 * only what is asked of the last of them is never true. No index helps.
 */
export const heavyText = `SELECT * FROM Document WHERE ${[1, 2, 3, 4, 5, 6]
  .map((item) => `(dc:subjects/*${item} LIKE '%u%j%' OR dc:subjects/*${item + 1} LIKE '%z%')`)
  .join(' AND ')} AND (dc:subjects/*7 LIKE '%y%y%' OR dc:subjects/*1 LIKE '%z%z%')`

export const heavyPath = `/search/execute?query=${encodeURIComponent(heavyText)}`
