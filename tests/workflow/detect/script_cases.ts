/** Projects in Python, Ruby and PHP, as manifests. */
import { type Case, json } from "./case.ts";

export const SCRIPT_CASES: readonly Case[] = [
  [
    "uv with pytest, ruff and mypy",
    {
      "pyproject.toml": `[project]
name = "x"
dependencies = ["fastapi>=0.1", "SQLAlchemy"]

[dependency-groups]
dev = [
  "pytest>=8",
  {include-group = "x"},
]

[tool.ruff.lint]
select = ["E"]

[tool.mypy]
files = ["src"]
`,
      "uv.lock": "",
    },
    "Python",
    "uv",
    ["FastAPI"],
    [
      "typecheck: uv run mypy @ pyproject.toml:14",
      "lint: uv run ruff check . @ pyproject.toml:11",
      "test: uv run pytest @ pyproject.toml:7",
    ],
  ],
  [
    "poetry with Django",
    {
      "pyproject.toml":
        '[tool.poetry]\nname = "x"\n[tool.poetry.dependencies]\npython = "^3.12"\nDjango = "5"\n[tool.poetry.group.dev.dependencies]\nflake8 = "*"\nmypy = "*"\n',
      "manage.py": "",
    },
    "Python",
    "poetry",
    ["Django"],
    [
      "typecheck: poetry run mypy . @ pyproject.toml:8",
      "lint: poetry run flake8 @ pyproject.toml:7",
      "test: poetry run python manage.py test @ manage.py",
    ],
  ],
  [
    "pip with requirements and a virtual environment",
    {
      "requirements.txt": "# tools\n-r base.txt\nflask==3\npytest\n",
      ".venv/x": "",
    },
    "Python",
    "pip",
    ["Flask"],
    ["test: .venv/bin/python -m pytest @ requirements.txt:4"],
  ],
  [
    "setup.cfg with sections for the tools",
    { "setup.py": "", "setup.cfg": "[metadata]\n[flake8]\nx = 1\n[tool:pytest]\n" },
    "Python",
    "pip",
    [],
    ["lint: python3 -m flake8 @ setup.cfg:2", "test: python3 -m pytest @ setup.cfg:4"],
  ],
  [
    "unittest, where nothing else is there",
    {
      "pyproject.toml": '[project]\nname = "x"\n',
      "tests/test_a.py": "import unittest\n\nclass A(unittest.TestCase):\n    pass\n",
    },
    "Python",
    "pip",
    [],
    ["test: python3 -m unittest discover -s tests @ tests/test_a.py"],
  ],
  ["tox", { "tox.ini": "[tox]\n" }, "Python", "pip", [], ["test: tox -e py @ tox.ini"]],
  [
    "nox",
    {
      "noxfile.py":
        'import nox\n\n@nox.session(python=["3.12", "3.13"])\n@nox.parametrize("x", [1])\ndef tests(session, x):\n    session.run("sh", "x")\n\n@nox.session\ndef lint(session):\n    pass\n',
      "setup.py": "",
    },
    "Python",
    "pip",
    [],
    ["test: nox --no-venv --no-install -s tests @ noxfile.py:5"],
  ],
  [
    "pipenv",
    { Pipfile: '[packages]\nflask = "*"\n[dev-packages]\npytest = "*"\n' },
    "Python",
    "pipenv",
    ["Flask"],
    ["test: pipenv run pytest @ Pipfile:4"],
  ],
  [
    "Ruby on Rails with RSpec and RuboCop",
    {
      Gemfile:
        'source "https://rubygems.org"\ngem "rails", "~> 8"\ngroup :test do\n  gem \'rspec-rails\'\nend\n',
      ".rubocop.yml": "",
    },
    "Ruby",
    "bundler",
    ["Rails"],
    ["lint: bundle exec rubocop @ .rubocop.yml", "test: bundle exec rspec @ Gemfile:4"],
  ],
  [
    "a gem with rake test and Sinatra",
    {
      "x.gemspec": 'Gem::Specification.new do |s|\n  s.add_dependency "sinatra"\nend\n',
      Rakefile: 'require "rake/testtask"\nRake::TestTask.new(:test)\n',
    },
    "Ruby",
    "bundler",
    ["Sinatra"],
    ["test: bundle exec rake test @ Rakefile:2"],
  ],
  [
    "composer scripts and tools, Laravel",
    {
      "composer.json": json({
        require: { "laravel/framework": "^11" },
        "require-dev": { "phpunit/phpunit": "^11", "laravel/pint": "^1" },
        scripts: { test: ["@php artisan config:clear", "@php artisan test"] },
      }),
      "phpstan.neon": "",
    },
    "PHP",
    "composer",
    ["Laravel"],
    [
      "typecheck: vendor/bin/phpstan analyse @ phpstan.neon",
      "lint: vendor/bin/pint --test @ composer.json:7",
      "test: composer run-script test @ composer.json:10",
    ],
  ],
  [
    "Symfony without scripts",
    {
      "composer.json": json({ require: { "symfony/framework-bundle": "7" } }),
      "phpunit.xml.dist": "",
    },
    "PHP",
    "composer",
    ["Symfony"],
    ["test: vendor/bin/phpunit @ phpunit.xml.dist"],
  ],
];
