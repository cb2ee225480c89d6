#!/usr/bin/env bash
# A list of Django REST framework with CursorPagination and OrderingFilter fails unless the view repeats the order.
#
# Seen with Django REST framework 3.14 (3.14.0-2+deb12u1, Django 3.2.25) of Debian 12: CursorPagination has the order
# "-created" by default, and a subclass may set another. With OrderingFilter among the filters of the view, both are passed
# over: without ?ordering= each request for the list is an AssertionError, so a 500. "ordering" of the view mends it.
# A guess: the order that the pagination declares holds until a client asks for another one, as without the filter.
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
cd "$folder"
private=(-qq -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder/cache")
apt-get "${private[@]}" update 2>/dev/null
apt-get "${private[@]}" download python3-{django,djangorestframework,asgiref,sqlparse,tz} 2>/dev/null
for package in ./*.deb; do dpkg-deb --extract "$package" "$folder"; done
cat >program.py <<'PY'
import rest_framework
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["testserver"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    REST_FRAMEWORK={"UNAUTHENTICATED_USER": None, "DEFAULT_AUTHENTICATION_CLASSES": []},
)
import django

django.setup()
from django.db import connection, models
from rest_framework import filters, generics, pagination, serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.test import APIRequestFactory


class Person(models.Model):
    class Meta:
        app_label = "people"


class PersonSerializer(serializers.ModelSerializer):
    class Meta:
        model = Person
        fields = "__all__"


class Pages(pagination.CursorPagination):
    ordering = "id"
    page_size = 10


with connection.schema_editor() as editor:
    editor.create_model(Person)
Person.objects.create()

for title, members in {
    "no filter": {},
    "OrderingFilter": {"filter_backends": [filters.OrderingFilter]},
    "OrderingFilter, ordering of the view": {"filter_backends": [filters.OrderingFilter], "ordering": "id"},
}.items():
    view = type("People", (generics.ListAPIView,), {
        "queryset": Person.objects.all(), "serializer_class": PersonSerializer,
        "pagination_class": Pages, "renderer_classes": [JSONRenderer], **members,
    })
    try:
        print(f"{title}: {view.as_view()(APIRequestFactory().get('/')).status_code}")
    except AssertionError as error:
        print(f"{title}: AssertionError, {error}")
print(rest_framework.VERSION)
PY
seen=$(PYTHONPATH=$folder/usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 program.py)
printf '%s\n' "$seen"
# shellcheck disable=SC2016
[[ $seen == 'no filter: 200
OrderingFilter: AssertionError, Using cursor pagination, but filter class OrderingFilter returned a `None` ordering.
OrderingFilter, ordering of the view: 200
3.14.0' ]]
