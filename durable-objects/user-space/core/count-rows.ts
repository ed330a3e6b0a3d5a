/** Rows of each table of an object that holds any, its own bookkeeping aside. */
export function countRows(sql: SqlStorage): Record<string, number> {
  const names = sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*' AND name NOT GLOB 'sqlite_*' AND name <> 'schema_version'",
    )
    .toArray()
  const counts = names.map(({ name }) => {
    const { n } = sql.exec<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`).one()
    return [name, n] as const
  })
  return Object.fromEntries(counts.filter(([, n]) => n > 0))
}
