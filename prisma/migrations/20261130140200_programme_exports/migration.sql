-- Exports of completions of goals, and of grants.
ALTER TYPE "ExportKind" ADD VALUE 'COMPLETIONS';
ALTER TYPE "ExportKind" ADD VALUE 'GRANTS';
