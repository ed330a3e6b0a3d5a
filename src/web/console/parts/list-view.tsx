import type { ComponentChildren } from 'preact'
import { isGone } from '../api/problem'
import { Link } from '../router'
import type { Listed } from '../use-load'
import { useShell } from '../words'
import { Button } from './button'
import { Empty, Loading, Problem } from './states'

export interface Column<Row> {
  key: string
  label: string
  cell: (row: Row) => ComponentChildren
  /** Aligned as numbers are. */
  numeric?: boolean
  /** A few words, such as a date: kept on one line, however long the name of a row is. */
  short?: boolean
  /** What the row is called: it leads where `to` says. */
  primary?: boolean
  /** The label is read, not shown. */
  quiet?: boolean
}

interface TableProps<Row> {
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  to?: ((row: Row) => string) | undefined
}

/** Rows as a table; on a narrow page each row is a card that names its columns. */
export function Table<Row>({ caption, rows, columns, keyOf, to }: TableProps<Row>) {
  return (
    <table class="table">
      <caption class="sr">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.key} scope="col" class={column.numeric ? 'numeric' : undefined}>
              {column.quiet ? <span class="sr">{column.label}</span> : column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => {
              const inside = column.cell(row)
              const shown =
                column.primary && to ? (
                  <Link to={to(row)} class="row-link">
                    {inside}
                  </Link>
                ) : (
                  inside
                )
              const looks = column.numeric ? 'numeric' : column.short ? 'short' : undefined
              return column.primary ? (
                <th key={column.key} scope="row" class={looks}>
                  {shown}
                </th>
              ) : (
                <td key={column.key} class={looks} data-label={column.label}>
                  {shown}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface ListProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  list: Listed<Row>
  empty: { title: string; text?: string; action?: ComponentChildren }
}

/** A list of the API with its states: loading, nothing yet, refused, more to come. */
export function ListView<Row>({ list, empty, ...table }: ListProps<Row>) {
  const t = useShell()
  const { items, problem, loading, hasMore, more, reload } = list
  if (items === null) {
    if (problem === null) return <Loading />
    if (isGone(problem)) return <Empty title={t('gone')} text={t('goneText')} />
    return <Problem of={problem} retry={reload} />
  }
  return (
    <div class="stack">
      <Problem of={problem} retry={items.length > 0 && hasMore ? more : reload} />
      {items.length === 0 && problem === null ? (
        <Empty {...empty} />
      ) : (
        <Table {...table} rows={items} />
      )}
      {hasMore && (
        <Button busy={loading} onClick={more}>
          {t('more')}
        </Button>
      )}
    </div>
  )
}
