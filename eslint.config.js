import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'
import { declareTexts } from './src/locales/catalogues.ts'

// Rules that know types need those of the texts.
declareTexts()

export default tseslint.config(
  {
    ignores: ['dist', 'data', '.cache', 'reports', 'test-results', '.stryker-tmp', '.dependency-cruiser.cjs'],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.lint.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // Handlers and ports are async by contract even where one implementation has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
      'prefer-const': 'error',
    },
  },
  {
    // No pattern takes more than linear time, whatever text it is given.
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['src/web/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  {
    // It has the types of workers, which are not those of pages.
    files: ['src/web/sw.ts'],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.sw.json'], tsconfigRootDir: import.meta.dirname },
    },
  },
  {
    files: ['scripts/**', 'bench/**', 'tests/**', 'src/server/main.ts', 'src/simulator/main.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // The glossary's words (docs/specification/README.md), in comments too; .textlintrc.json has those of documents.
    files: ['src/{server,shared,simulator}/**', 'tests/support/**', 'bench/**'],
    rules: {
      'no-warning-comments': [
        'error',
        {
          terms: ['the platform', 'sign of life', 'signs of life', 'a person', 'the person'],
          location: 'anywhere',
        },
      ],
    },
  },
  // Playwright reads the fixtures a function needs from its first parameter, which may need none.
  { files: ['tests/e2e/**'], rules: { 'no-empty-pattern': 'off' } },
  {
    files: ['**/*.{js,mjs,cjs}'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', fetch: 'readonly' },
    },
  },
)
