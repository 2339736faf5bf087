/** The due group of a task, by the browser's local day. */
export function dueGroupOf(dueDate: string | undefined, now: Date): string {
  if (dueDate === undefined) return 'No due date';
  const due = new Date(dueDate);
  if (due < now) return 'Overdue';
  return due < new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1) ? 'Due today' : 'Due later';
}
